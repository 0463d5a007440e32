internal import Ledger
internal import Manifest
internal import PhotoModel

extension PhotoRecord {
    /// The marks of a photo that stays as the last build left it. All marks are in the order of their codes.
    /// - Parameter now: the time of the build in seconds since 1970.
    func marks(ifKept row: PhotoFields, now: Int64) -> [PhotoMark] {
        if expectedChange == nil, row.marks.isEmpty { return [] }
        let others = row.marks.filter { $0.code != .frozen }
        let frozen = row.sha256 == nil ? nil : frozenMark(fetched: row.fetched, since: row.since, now: now)
        return Self.ordered(others + [frozen].compactMap(\.self))
    }

    /// The mark of a photo whose bytes have not changed for longer than expected; nil for any other photo.
    /// - Parameters:
    ///   - fetched: the time at which the photo's bytes were first received; nil if unknown.
    ///   - since: the time at which the photo entered its state. It stands in for an unknown time of the bytes, which
    ///     only photos of old ledgers have.
    ///   - now: the time of the build. All times are in seconds since 1970.
    func frozenMark(fetched: Int64?, since: Int64, now: Int64) -> PhotoMark? {
        guard let expectedChange else { return nil }
        let changed = fetched ?? since
        guard now - changed >= expectedChange else { return nil }
        return .frozen(since: Timestamp(seconds: changed), expectedWithin: expectedChange)
    }

    /// Whether a change of the bytes is overdue and the photo is not marked yet. Its address is requested once more
    /// then, whatever its server said about freshness, so that no photo is marked that was not asked for.
    /// - Parameter now: the time of the build in seconds since 1970.
    func isOverdue(at now: Int64) -> Bool {
        guard expectedChange != nil, let row = remembered?.value, row.sha256 != nil, row.marks[.frozen] == nil else {
            return false
        }
        return frozenMark(fetched: row.fetched, since: row.since, now: now) != nil
    }

    /// The marks that stay while the source fails, because nothing new is known.
    func carriedMarks(of row: PhotoFields) -> [PhotoMark] {
        row.marks.filter { $0.code == .suspicious || $0.code == .changed && photo.pinned != nil }
    }

    /// The mark that keeps an original of the photo's address from being shown; nil if it may be shown.
    /// - Parameter now: the time of the build in seconds since 1970.
    func mark(withholding original: Digest, now: Int64) -> PhotoMark? {
        if let pinned = photo.pinned {
            guard original != pinned else { return nil }
            let since = remembered?.marks[.changed]?.since ?? Timestamp(seconds: now)
            return .changed(since: since, to: original)
        }
        guard !isAccepted, let mark = remembered?.marks[.suspicious], mark.withheld == original else { return nil }
        return mark
    }

    /// The original that the last build showed, if a new one can be suspicious. It can't if the list pins one, the user
    /// accepted it or changed the address, or if it is a local file, which nobody replaces by mistake.
    var guardedOriginal: Digest? {
        guard photo.pinned == nil, !isAccepted, source?.isRemote == true, let row = remembered?.value,
            hasAddress(row.source), row.marks[.archived] == nil
        else { return nil }
        return row.sha256
    }

    /// The originals that were shown before and are shown now, if this build replaces one that is guarded.
    var replacement: (old: Digest, new: Digest)? {
        guard let old = guardedOriginal else { return nil }
        let progress = self.progress
        guard !progress.isUnchanged, progress.mark == nil, progress.state != .failed,
            let new = progress.original, new != old
        else { return nil }
        return (old, new)
    }

    /// The original that the photo's address delivered last, whether it is shown or not.
    /// - Parameter now: the time of the build in seconds since 1970.
    func deliveredOriginal(now: Int64) -> Digest? {
        let row = row(now: now).value
        return row.marks.lazy.compactMap(\.withheld).first ?? row.sha256
    }

    static func ordered(_ marks: [PhotoMark]) -> [PhotoMark] {
        marks.count < 2 ? marks : marks.sorted { $0.code.rawValue < $1.code.rawValue }
    }

    /// The photo's current marks.
    /// - Parameter now: the time of the build in seconds since 1970.
    func marks(now: Int64) -> [PhotoMark] { row(now: now).value.marks }
}
