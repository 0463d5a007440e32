internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// The result of a worker for a photo, as a store keeps it: one JSON object.
struct StoredPhoto: Codable, Hashable, Sendable {
    /// The version of the form. A record of another version is not read, and its photo counts as not done.
    var version = Self.currentVersion
    /// The number of the record among those of the photo in the store, from 1.
    var number = 1
    /// The photo as the worker's ledger has it. Its slug means nothing: it depends on the other photos of a list.
    var photo: PhotoFields
    /// The ledger's rows of the photo's addresses, in the order in which they are tried.
    let sources: [SourceFields]
    /// The key of the first address that the list gave, whichever address delivered the picture. It is the photo's own
    /// key if that address can't be used, and nil in a record of an earlier version.
    let listed: Digest?
    /// The facts of the photo's original; nil if it has none.
    let original: OriginalRow?
    /// The time until which the server asked not to be contacted, in seconds since 1970; nil if it did not ask.
    var retryAfter: Int64?

    static let currentVersion = 1

    /// - Returns: nil for bytes that are no record of this version.
    init?(json: some Sequence<UInt8>) {
        // The decoder's errors say nothing to users: the store has a record that this version can't use.
        guard let photo = try? JSONDecoder().decode(StoredPhoto.self, from: Data(json)),
            photo.version == Self.currentVersion, photo.isPlausible
        else { return nil }
        self = photo
    }

    /// Whether a worker can have made the record. Names of pictures become paths, colours become parts of pages, and
    /// arithmetic with numbers out of range would end the program.
    private var isPlausible: Bool {
        var times = [photo.since, photo.checked, photo.stale?.since, photo.fetched, photo.recovered, retryAfter]
        times += photo.versions.map(\.fetched)
        for source in sources { times += [source.validated, source.freshUntil, source.retryAfter, source.fetched] }
        return Self.numbers.contains(number) && times.allSatisfy { $0.map(Self.times.contains) ?? true }
            && (0...Self.numbers.upperBound).contains(photo.attempts)
            && (photo.state == .failed) == (photo.reason != nil)
            && photo.pictures.allSatisfy(\.isPlausible) && sources.allSatisfy { $0.bytes >= 0 }
            && original.map { PublishedPicture.sides.contains($0.width) && PublishedPicture.sides.contains($0.height) }
                ?? true
    }

    /// The numbers of records, and of attempts.
    static let numbers = 1...1_000_000_000
    /// Seconds since 1970, up to the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799

    /// - Parameter listed: the key of the first address that the list gives; nil if it can't be used.
    init(
        photo: PhotoFields, listed: Digest?, sources: [SourceFields], original: OriginalRow?, retryAfter: Int64?
    ) {
        self.photo = photo
        self.sources = sources
        self.listed = listed ?? photo.key
        self.original = original
        self.retryAfter = retryAfter
    }

    /// The record as one line, without a line break.
    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return [UInt8](try encoder.encode(self))
        }
    }

    /// Whether the result is that of a first address. The result of another one says nothing about the photo, unless
    /// its picture came from this one, which was a mirror then.
    /// - Parameter address: the key of the first address that the list gives; nil if it can't be used.
    func isResult(of address: Digest?) -> Bool {
        (listed ?? photo.source ?? photo.key) == (address ?? photo.key)
            || address != nil && photo.source == address && photo.sha256 != nil && photo.stale == nil
    }

    /// Whether this result counts, and not another one of the same photo. A picture is better than none; of two
    /// pictures or of two failures, the later one counts.
    func supersedes(_ other: StoredPhoto) -> Bool {
        let (hasPicture, otherHasPicture) = (photo.sha256 != nil, other.photo.sha256 != nil)
        return hasPicture == otherHasPicture ? photo.checked >= other.photo.checked : hasPicture
    }

    /// Whether a result that another worker has recorded in the meantime stands for this one. It must be that of the
    /// same first address, and its picture, if it has one, must be made by the same recipe.
    /// - Parameter recipe: the recipe of this photo, which a result without a picture does not name.
    func isReplaced(by other: StoredPhoto, recipe: String) -> Bool {
        listed == other.listed && (other.photo.pictures.isEmpty || other.photo.recipe == recipe)
            && other.supersedes(self)
    }

    /// Whether the result says more than an earlier one, so that it is recorded. When and how often servers were asked
    /// is news only if a later run counts from it.
    func isNews(after known: StoredPhoto) -> Bool {
        let old = PhotoRow(known.photo)
        var alike = photo
        if !old.mayHaveArrivedDamaged { alike.attempts = old.attempts }
        return !PhotoRow(alike).differsOnlyInTime(from: old) || original != known.original || listed != known.listed
            || sources.map(\.withoutTimes) != known.sources.map(\.withoutTimes) || hasCompletedPeriod(since: known)
    }

    /// Whether a frozen photo was asked for again because its period was over. The next period begins with this result.
    private func hasCompletedPeriod(since known: StoredPhoto) -> Bool {
        guard case .period(let seconds) = photo.marks[.frozen]?.arguments["period"] else { return false }
        let (checked, before) = (photo.checked, known.photo.checked)
        return checked > before && checked - before >= seconds
    }
}

extension SourceFields {
    fileprivate var withoutTimes: SourceFields {
        var fields = self
        (fields.validated, fields.freshUntil) = (nil, nil)
        return fields
    }
}

extension LedgerSnapshot {
    /// Adds what a store has of photos. Its rows of photos take the place of this machine's.
    mutating func add(_ stored: some Sequence<StoredPhoto>) {
        for photo in stored {
            for source in photo.sources { add(SourceRow(source)) }
            if let original = photo.original { originals[original.sha256] = originals[original.sha256] ?? original }
            photos[photo.photo.key] = PhotoRow(photo.photo)
        }
    }
}
