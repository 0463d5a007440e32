package import Imaging
package import Ledger
package import Manifest
package import PhotoModel
internal import Synchronization

/// A photo in a build: its entry in the list, its row in the ledger, and its progress.
package final class PhotoRecord: Sendable {
    package let photo: ManifestPhoto
    /// The key of the photo in the ledger.
    package let key: Digest
    package let slug: String
    package var options: DerivativeOptions { renderOptions.options }
    var recipe: PhotoRecipe { renderOptions.recipe }
    var versionOptions: VersionOptions { renderOptions.versions }
    private let renderOptions: RenderOptions
    /// The recipe of the photo's derivatives in the ledger's format.
    package var recipeText: String { recipe.text }
    /// The ledger key of the photo's address; nil if it has no usable address.
    package let sourceKey: Digest?
    /// The number of seconds within which the photo's bytes are expected to change; nil if no change is expected.
    let expectedChange: Int64?
    /// Whether the user has accepted the picture that the photo's mark withholds.
    let isAccepted: Bool
    private let storage: Mutex<Storage>

    private struct Storage {
        var phase = Phase.untouched
        var remembered: PhotoRow?
        /// The row that this build recorded in place of `remembered`.
        var recorded: PhotoRow?
    }

    /// Most photos are unchanged, so `inProgress` is indirect: a photo without work does not need the memory of a
    /// `Progress`. Once the photo is done, only the values for pages and ledger remain.
    private enum Phase {
        case untouched
        case unchanged(wasRequested: Bool)
        indirect case inProgress(Progress)
        indirect case finalized(
            PhotoRow, isVisibleChange: Bool, ConditionChange?, CompactMetadata?, retryAfter: Int64?)

        var progress: Progress {
            switch self {
            case .untouched: Progress()
            case .unchanged(let wasRequested): Progress(wasRequested: wasRequested, isUnchanged: true)
            case .inProgress(let progress): progress
            case .finalized(let row, _, _, let metadata, let retryAfter):
                Progress(
                    state: row.state, original: row.sha256, fetched: row.fetched, metadata: metadata?.metadata,
                    pictures: row.pictures, retryAfter: retryAfter)
            }
        }

        var row: PhotoRow? {
            if case .finalized(let row, _, _, _, _) = self { row } else { nil }
        }
    }

    package convenience init(
        photo: ManifestPhoto, key: Digest, slug: String, options: DerivativeOptions, remembered: PhotoRow?,
        expectedChange: ExpectedChange = .never, isAccepted: Bool = false, versions: VersionOptions = VersionOptions()
    ) {
        self.init(
            photo: photo, key: key, sourceKey: photo.sourceKey, slug: slug,
            renderOptions: RenderOptions(options, versions: versions), remembered: remembered,
            expectedChange: expectedChange, isAccepted: isAccepted)
    }

    init(
        photo: ManifestPhoto, key: Digest, sourceKey: Digest?, slug: String, renderOptions: RenderOptions,
        remembered: PhotoRow?, expectedChange: ExpectedChange, isAccepted: Bool
    ) {
        self.photo = photo
        self.key = key
        // Equal slugs share their memory.
        self.slug = remembered.map { $0.slug == slug ? $0.slug : slug } ?? slug
        self.renderOptions = renderOptions
        storage = Mutex(Storage(remembered: remembered))
        self.sourceKey = sourceKey
        self.isAccepted = isAccepted
        self.expectedChange = (photo.expectedChange ?? expectedChange).seconds
    }

    /// The rendering options, shared by all photos without a filter of their own.
    final class RenderOptions: Sendable {
        let options: DerivativeOptions
        let recipe: PhotoRecipe
        let versions: VersionOptions

        init(_ options: DerivativeOptions, versions: VersionOptions) {
            self.options = options
            self.versions = versions
            recipe = PhotoRecipe(options)
        }
    }

    /// The photo's row in the ledger: the row of the last build, or the row that this build recorded when the photo was
    /// done. It is nil for a new photo.
    package var remembered: PhotoRow? { storage.withLock { $0.remembered } }

    package var progress: Progress { storage.withLock { $0.phase.progress } }

    func update(_ change: (inout Progress) -> Void) {
        storage.withLock { storage in
            var progress = storage.phase.progress
            change(&progress)
            storage.phase = .inProgress(progress)
        }
    }

    /// Marks the photo as failed. Its pages show a placeholder.
    func fail(_ failure: Failure) {
        update {
            $0.state = .failed
            $0.failure = withoutRedactedHosts(failure)
            $0.staleness = nil
            $0.mark = nil
            $0.original = nil
            $0.pictures = []
        }
    }

    /// The failure without host names, if the photo's host could be a part of a password.
    private func withoutRedactedHosts(_ failure: Failure) -> Failure {
        ShownAddress.isRedacted(photo.shownSource) ? failure.withoutHosts : failure
    }

    /// Keeps the photo's earlier picture and marks it stale.
    /// - Returns: the original that its pictures must be rendered from; nil if the pictures exist and stay.
    func fallBack(on lastGood: StaleFallback, because failure: Failure) -> Digest? {
        update {
            $0.staleness = withoutRedactedHosts(failure)
            $0.mark = nil
            $0.forgetAddress()
            $0.show(lastGood)
        }
        return lastGood.original
    }

    /// Shows the photo's earlier picture instead of the new original, which the mark names.
    /// - Returns: the original that its pictures must be rendered from; nil if the pictures exist and stay.
    func withhold(_ mark: PhotoMark, showing lastGood: StaleFallback) -> Digest? {
        update {
            $0.staleness = nil
            $0.mark = mark
            ($0.metadata, $0.pictures, $0.profileProblem) = (nil, [], nil)
            $0.forgetAddress()
            $0.show(lastGood)
        }
        return lastGood.original
    }

    /// Goes back to the row of the last build after the operations of the photo have ended, because its new original
    /// is suspicious. The pictures of that build must exist, and must be what the settings ask for.
    func withhold(_ original: Digest, now: Int64) {
        storage.withLock { storage in
            guard let remembered = storage.remembered else { return }
            var row = unchangedRow(remembered, checked: now, now: now)
            // The earlier picture can be that of a mirror.
            row.source = remembered.source ?? sourceKey
            let since = remembered.marks[.suspicious]?.since ?? Timestamp(seconds: now)
            // A photo with a pin is never suspicious, so a mark of one was removed from the list.
            let others = row.marks.filter { ![.suspicious, .changed].contains($0.code) }
            row.marks = Self.ordered(others + [.suspicious(since: since, sameAsOthers: original)])
            if !row.versions.isEmpty {
                row.versions = Array(row.versions.prefix(versionOptions.kept))
                row.pictures = allowed(row.pictures, of: row.versions)
            }
            row.recovered = nil
            // The source has answered.
            (row.stale, row.attempts) = (nil, 0)
            storage.phase = .finalized(
                row, isVisibleChange: !row.rendersLike(remembered), ConditionChange(from: remembered, to: row), nil,
                retryAfter: nil)
        }
    }

    /// Ends the photo with what another machine has found out about it.
    /// - Parameters:
    ///   - row: the row of that machine; nil if no machine has done the photo. Then it is as good as new.
    ///   - retryAfter: the time until which the server asked not to be contacted, in seconds since 1970.
    ///   - now: seconds since 1970.
    func end(as row: PhotoRow?, retryAfter: Int64? = nil, now: Int64) {
        storage.withLock { storage in
            let remembered = storage.remembered
            var row = row ?? self.row(Progress(), after: remembered, now: now)
            row.slug = slug
            // A photo is frozen only if its address was requested after the change was due.
            row.marks = marks(ifKept: row, now: row.checked)
            if !row.marks.isEmpty { row.recovered = nil }
            row.versions = Array(row.versions.prefix(versionOptions.kept))
            row.pictures = allowed(row.pictures, of: row.versions)
            storage.phase = .finalized(
                row, isVisibleChange: remembered.map { !row.rendersLike($0) } ?? true,
                ConditionChange(from: remembered, to: row), nil, retryAfter: retryAfter)
        }
    }

    /// Keeps the photo as the last build left it, because it needs no work or its address has nothing new. A photo that
    /// has ended with the result of another machine stays as that left it.
    func markUnchanged(wasRequested: Bool) {
        storage.withLock { storage in
            guard storage.phase.row == nil else { return }
            storage.phase = .unchanged(wasRequested: wasRequested)
        }
    }

    /// Notes the row that this build has recorded in the ledger.
    func didRecord(_ row: PhotoRow) { storage.withLock { $0.recorded = row } }

    /// Releases the photo's progress and its earlier row. Called when the photo's operations have ended.
    /// - Parameter now: seconds since 1970.
    func finalize(now: Int64) {
        storage.withLock { storage in
            guard case .inProgress(let progress) = storage.phase else { return }
            var row = row(progress, after: storage.remembered, now: now)
            let isVisibleChange = storage.remembered.map { !row.rendersLike($0) } ?? true
            let change = isVisibleChange ? ConditionChange(from: storage.remembered, to: row) : nil
            storage.remembered = storage.recorded ?? storage.remembered
            storage.recorded = nil
            // Equal rows share their memory.
            if let remembered = storage.remembered, remembered == row { row = remembered }
            storage.phase = .finalized(
                row, isVisibleChange: isVisibleChange, change, progress.metadata.map { CompactMetadata($0) },
                retryAfter: progress.retryAfter)
        }
    }

    /// Whether the photo's pages differ from those of the last build.
    /// - Parameter row: the photo's current row.
    func isVisibleChange(_ row: PhotoRow) -> Bool {
        let storage = storage.withLock { $0 }
        if case .finalized(_, let isVisibleChange, _, _, _) = storage.phase { return isVisibleChange }
        return storage.remembered.map { !row.rendersLike($0) } ?? true
    }

    /// The change of the photo in this build; nil if it is what it was. A photo without any work can change its marks.
    /// - Parameter now: the time of the build in seconds since 1970.
    func change(now: Int64) -> PhotoChange? {
        let storage = storage.withLock { $0 }
        let row: PhotoRow
        let change: ConditionChange?
        switch storage.phase {
        case .finalized(let finalized, _, let known, _, _): (row, change) = (finalized, known)
        case .unchanged:
            row = self.row(now: now)
            change = ConditionChange(from: storage.remembered, to: row)
        case .untouched, .inProgress: return nil
        }
        guard let change else { return nil }
        return PhotoChange(
            name: photo.name, album: photo.album, slug: row.slug, old: change.old,
            new: PhotoChange.Condition(row))
    }

    /// The photo as the pages of a preview show it: as it was before until its operations have ended.
    /// - Parameter now: seconds since 1970.
    func shownRow(now: Int64) -> PhotoRow {
        let storage = storage.withLock { $0 }
        switch storage.phase {
        case .finalized(let row, _, _, _, _): return row
        case .unchanged: return row(storage.phase.progress, after: storage.remembered, now: now)
        case .untouched, .inProgress:
            guard var row = storage.remembered else { return row(Progress(), after: nil, now: now) }
            row.slug = slug
            return row
        }
    }

    /// Forgets what operations have found out that were cancelled, or that must run again.
    func reset() { storage.withLock { $0.phase = .untouched } }

    /// Whether the photo's work in this build has ended.
    var hasEnded: Bool { storage.withLock { $0.phase.row } != nil }

    /// The metadata of the original in this build; nil for an unchanged photo.
    var metadata: ImageMetadata? {
        storage.withLock { storage in
            switch storage.phase {
            case .untouched, .unchanged: nil
            case .inProgress(let progress): progress.metadata
            case .finalized(_, _, _, let metadata, _): metadata?.metadata
            }
        }
    }

    /// The time until which the server asked not to be contacted, in seconds since 1970; nil if it did not ask.
    var retryAfter: Int64? {
        storage.withLock { storage in
            switch storage.phase {
            case .untouched, .unchanged: nil
            case .inProgress(let progress): progress.retryAfter
            case .finalized(_, _, _, _, let retryAfter): retryAfter
            }
        }
    }

    /// The photo's state before any work in this build.
    /// - Parameter now: seconds since 1970.
    func rowBeforeBuild(now: Int64) -> PhotoRow {
        guard var row = remembered else { return row(now: now) }
        row.slug = slug
        if !row.versions.isEmpty {
            row.versions = Array(row.versions.prefix(versionOptions.kept))
            row.pictures = allowed(row.pictures, of: row.versions)
        }
        return row
    }

    /// The row to record for the photo.
    /// - Parameter now: seconds since 1970.
    package func row(now: Int64) -> PhotoRow {
        let storage = storage.withLock { $0 }
        return storage.phase.row ?? row(storage.phase.progress, after: storage.remembered, now: now)
    }

    private func row(_ progress: Progress, after remembered: PhotoRow?, now: Int64) -> PhotoRow {
        if progress.isUnchanged, let remembered {
            return unchangedRow(remembered, checked: progress.wasRequested ? now : nil, now: now)
        }
        let reason = progress.failure.map { Reason($0) }
        let isSameState = remembered.map { $0.state == progress.state && Reason.areSame($0.reason, reason) } ?? false
        let stale = progress.staleness.map { failure in
            StaleMark(since: remembered?.stale?.since ?? now, reason: Reason(failure))
        }
        let isHealthy = progress.failure == nil && progress.staleness == nil
        // Nobody ever saw the failure of a photo that recovers within the same second.
        let wasUnavailable =
            remembered.map { ($0.stale?.since ?? ($0.state == .failed ? $0.since : now)) < now } ?? false
        let wasMarked = remembered.map { $0.marks.contains { $0.began.seconds < now } } ?? false
        let isSameOriginal = remembered.map { $0.sha256 == progress.original } ?? false
        let since = isSameState ? remembered?.since ?? now : now
        let fetched = isSameOriginal ? remembered?.fetched : progress.fetched
        let frozen = progress.original == nil ? nil : frozenMark(fetched: fetched, since: since, now: now)
        let carried = remembered.map { carriedMarks(of: $0, progress) } ?? []
        let marks = Self.ordered([frozen, progress.mark].compactMap(\.self) + carried)
        let needsNoAttention = isHealthy && marks.isEmpty
        let versions = versions(progress, after: remembered)
        return PhotoRow(
            key: key, source: progress.address ?? fallbackAddress(progress, remembered), slug: slug,
            state: progress.state, reason: reason,
            since: since, stale: stale, marks: marks, sha256: progress.original,
            pictures: allowed(progress.pictures, of: versions), versions: versions,
            recipe: progress.pictures.isEmpty ? nil : recipe.text,
            recovered: !needsNoAttention
                ? nil : wasUnavailable || wasMarked ? now : isSameState ? remembered?.recovered : nil,
            fetched: fetched,
            attempts: isHealthy ? 0 : min(max(0, remembered?.attempts ?? 0), Int(Int32.max)) + 1,
            checked: progress.wasRequested ? now : remembered?.checked ?? now)
    }

    /// - Parameters:
    ///   - checked: the time of this build's request in seconds since 1970; nil if the address was not requested.
    ///   - now: the time of the build in seconds since 1970.
    private func unchangedRow(_ remembered: PhotoRow, checked: Int64?, now: Int64) -> PhotoRow {
        let recipe = remembered.pictures.isEmpty ? nil : recipe.text
        let marks = marks(ifKept: remembered, now: now)
        // While the list has no usable address, it is remembered where the picture is from.
        let source = sourceKey ?? remembered.source
        if remembered.key == key, remembered.slug == slug, remembered.source == source,
            remembered.recipe == recipe, remembered.marks == marks
        {
            guard let checked else { return remembered }
            var row = remembered
            row.checked = checked
            return row
        }
        return PhotoRow(
            key: key, source: source, slug: slug, state: remembered.state, reason: remembered.reason,
            since: remembered.since, stale: remembered.stale, marks: marks, sha256: remembered.sha256,
            pictures: remembered.pictures, versions: remembered.versions, recipe: recipe,
            recovered: marks.isEmpty ? remembered.recovered : nil, fetched: remembered.fetched,
            attempts: remembered.attempts, checked: checked ?? remembered.checked)
    }
}
