package import PhotoModel

/// The record of a photo: how the last build left it. Several collections hold a row at once, so copies share their
/// values.
package struct PhotoRow: Hashable, Sendable {
    private struct Fields: Hashable, Sendable {
        var key: Digest
        var slug: String
        var sha256: Digest?
        // In the room that the digest leaves.
        var state: PhotoState
        var failures: Int32
        var source: Digest?
        var pictureList: PictureList
        var recipe: String?
        var since: Int64
        var checked: Int64
        var back: Int64?
        var fetched: Int64?
        private var trouble: FailureState?

        init(
            key: Digest, source: Digest?, slug: String, state: PhotoState, reason: Reason?, since: Int64,
            stale: StaleMark?, sha256: Digest?, pictureList: PictureList, recipe: String?, back: Int64?,
            fetched: Int64?, attempts: Int, checked: Int64
        ) {
            self.key = key
            self.source = source
            self.slug = slug
            self.sha256 = sha256
            self.state = state
            failures = Int32(clamping: attempts)
            self.pictureList = pictureList
            self.recipe = recipe
            self.since = since
            self.checked = checked
            self.back = back
            self.fetched = fetched
            trouble = FailureState(reason, stale)
        }

        var attempts: Int {
            get { Int(failures) }
            set { failures = Int32(clamping: newValue) }
        }
        var reason: Reason? {
            get { trouble?.reason }
            set { trouble = FailureState(newValue, stale) }
        }
        var stale: StaleMark? {
            get { trouble?.stale }
            set { trouble = FailureState(reason, newValue) }
        }
    }

    /// The values that only photos with a failure have. They are held apart, because such photos are few.
    private indirect enum FailureState: Hashable, Sendable {
        case known(reason: Reason?, stale: StaleMark?)

        init?(_ reason: Reason?, _ stale: StaleMark?) {
            guard reason != nil || stale != nil else { return nil }
            self = .known(reason: reason, stale: stale)
        }

        var reason: Reason? {
            switch self {
            case .known(let reason, _): reason
            }
        }

        var stale: StaleMark? {
            switch self {
            case .known(_, let stale): stale
            }
        }
    }

    private final class Storage: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var storage: Storage

    private mutating func set<SQLiteValue>(_ field: WritableKeyPath<Fields, SQLiteValue>, _ value: SQLiteValue) {
        var fields = storage.fields
        fields[keyPath: field] = value
        storage = Storage(fields)
    }

    /// The identity of the photo, as the gallery makes it.
    package var key: Digest { storage.fields.key }
    /// The key of its address among the sources; nil if it had none that could be asked.
    package var source: Digest? {
        get { storage.fields.source }
        set { set(\.source, newValue) }
    }
    package var slug: String {
        get { storage.fields.slug }
        set { set(\.slug, newValue) }
    }
    package var state: PhotoState {
        get { storage.fields.state }
        set { set(\.state, newValue) }
    }
    /// Why it failed; nil unless `state` is `failed`.
    package var reason: Reason? {
        get { storage.fields.reason }
        set { set(\.reason, newValue) }
    }
    /// When the photo entered this state, seconds since 1970.
    package var since: Int64 {
        get { storage.fields.since }
        set { set(\.since, newValue) }
    }
    /// Why the picture shown could not be refreshed, and since when.
    package var stale: StaleMark? {
        get { storage.fields.stale }
        set { set(\.stale, newValue) }
    }
    /// The original that the published derivatives were made from: the last good one.
    package var sha256: Digest? {
        get { storage.fields.sha256 }
        set { set(\.sha256, newValue) }
    }
    /// The published pictures, as they are kept.
    package var pictureList: PictureList {
        get { storage.fields.pictureList }
        set { set(\.pictureList, newValue) }
    }
    /// The recipe of the pictures; nil if unknown.
    package var recipe: String? {
        get { storage.fields.recipe }
        set { set(\.recipe, newValue) }
    }
    /// When the photo recovered from a failure or from being stale, seconds since 1970; nil after any other change.
    package var back: Int64? {
        get { storage.fields.back }
        set { set(\.back, newValue) }
    }
    /// When the original was downloaded, seconds since 1970; nil if unknown.
    package var fetched: Int64? {
        get { storage.fields.fetched }
        set { set(\.fetched, newValue) }
    }
    /// Failures in a row; 0 for a photo that is well.
    package var attempts: Int {
        get { storage.fields.attempts }
        set { set(\.attempts, newValue) }
    }
    /// When the address was last requested, seconds since 1970.
    package var checked: Int64 {
        get { storage.fields.checked }
        set { set(\.checked, newValue) }
    }

    /// The published pictures.
    package var pictures: [PublishedPicture] { pictureList.pictures }

    package init(
        key: Digest, source: Digest? = nil, slug: String, state: PhotoState, reason: Reason? = nil, since: Int64,
        stale: StaleMark? = nil, sha256: Digest? = nil, pictures: PictureList = PictureList([]), recipe: String? = nil,
        back: Int64? = nil, fetched: Int64? = nil, attempts: Int = 0, checked: Int64
    ) {
        storage = Storage(
            Fields(
                key: key, source: source, slug: slug, state: state, reason: reason, since: since, stale: stale,
                sha256: sha256, pictureList: pictures, recipe: recipe, back: back, fetched: fetched,
                attempts: attempts, checked: checked))
    }

    package static func == (left: PhotoRow, right: PhotoRow) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }
}

extension PhotoRow {
    /// Whether nothing but the time of the last look has changed.
    package func differsOnlyInTime(from old: PhotoRow) -> Bool {
        if storage === old.storage { return true }
        var alike = old.storage.fields
        alike.checked = checked
        return alike == storage.fields
    }

    /// Whether the pages that show one show the other.
    package func rendersLike(_ other: PhotoRow) -> Bool {
        if storage === other.storage { return true }
        var alike = other.storage.fields
        alike.checked = checked
        alike.attempts = attempts
        alike.recipe = recipe
        alike.source = source
        return alike == storage.fields
    }
}

/// Since when a photo could not be refreshed, and why.
package struct StaleMark: Hashable, Sendable {
    package let since: Int64
    package let reason: Reason

    package init(since: Int64, reason: Reason) {
        self.since = since
        self.reason = reason
    }
}
