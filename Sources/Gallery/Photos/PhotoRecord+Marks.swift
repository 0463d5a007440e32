internal import Ledger
internal import Manifest
internal import PhotoModel

extension PhotoRecord {
    /// The marks of a photo that stays as the last build left it. All marks are in the order of their codes.
    /// - Parameter now: the time of the build in seconds since 1970.
    func marks(ifKept row: PhotoRow, now: Int64) -> [PhotoMark] {
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

    /// The time at which a photo with this row becomes frozen unless its bytes change, or at which a frozen one is
    /// requested again, in seconds since 1970; nil if neither will be, or if no change is expected.
    func nextCheckForChange(_ row: PhotoRow) -> Int64? {
        guard let expectedChange, row.sha256 != nil else { return nil }
        let isFrozen = row.marks[.frozen] != nil
        // A local file is looked at in each build.
        if isFrozen, source?.isRemote != true { return nil }
        let last = isFrozen ? row.checked : row.fetched ?? row.since
        let (time, isOutOfRange) = last.addingReportingOverflow(expectedChange)
        return isOutOfRange ? nil : time
    }

    /// Whether a change of the bytes is overdue, and the photo is not marked yet or was last checked a period ago. Its
    /// address is requested once more then, whatever its server said about freshness, so that no photo is marked that
    /// was not asked for, and none stays marked for long after its source has changed.
    /// - Parameter now: the time of the build in seconds since 1970.
    func isOverdue(at now: Int64) -> Bool {
        guard let expectedChange, let row = remembered, row.sha256 != nil else { return false }
        return frozenMark(fetched: row.fetched, since: row.since, now: now) != nil
            && (row.marks[.frozen] == nil || now - row.checked >= expectedChange)
    }

    /// The earlier marks that stay beside what this build found out, because nothing new is known. An original that is
    /// shown is no longer withheld, and marks of another address say nothing about this one. A copy of the archive is
    /// one as long as it is shown.
    func carriedMarks(of row: PhotoRow, _ progress: Progress) -> [PhotoMark] {
        let hasAddress = hasAddress(row.source)
        let isFailing = progress.staleness != nil
        return row.marks.filter { mark in
            switch mark.code {
            case .frozen: false
            case .changed: hasAddress && isFailing && photo.pinned != nil
            case .suspicious:
                hasAddress && (isFailing || progress.mark?.code == .archived)
                    && (mark.withheld == nil || mark.withheld != progress.original)
            case .archived:
                progress.mark?.code != .archived && progress.address == nil && progress.original == row.sha256
            }
        }
    }

    /// The mark that keeps an original of the photo's address from being shown; nil if it may be shown.
    /// - Parameter now: the time of the build in seconds since 1970.
    func mark(withholding original: Digest, now: Int64) -> PhotoMark? {
        if let pinned = photo.pinned {
            guard original != pinned else { return nil }
            let since = remembered?.marks[.changed]?.since ?? Timestamp(seconds: now)
            return .changed(since: since, to: original)
        }
        guard !isAccepted, let row = remembered, hasAddress(row.source), let mark = row.marks[.suspicious],
            mark.withheld == original
        else { return nil }
        return mark
    }

    /// Whether the user has accepted an original: the one that the photo's mark withholds, and no other. If the ledger
    /// was lost, it is unknown which one that was.
    private func isAccepted(_ original: Digest) -> Bool {
        guard isAccepted, let mark = remembered?.marks[.suspicious] else { return false }
        return mark.withheld == nil || mark.withheld == original
    }

    /// The original that the last build showed, if a new one in its place can be suspicious. It can't if the list pins
    /// one, the user accepted it or changed the address, or if it is a local file, which nobody replaces by mistake.
    func guardedOriginal(against new: Digest) -> Digest? {
        guard photo.pinned == nil, !isAccepted(new), source?.isRemote == true, let row = remembered,
            hasAddress(row.source)
        else { return nil }
        return row.sha256
    }

    /// The originals that were shown before and are shown now, if this build replaces one that is guarded and that came
    /// from the source itself.
    var replacement: (old: Digest, new: Digest)? {
        let progress = self.progress
        guard !progress.isUnchanged, progress.mark == nil, progress.state != .failed,
            let new = progress.original, let old = guardedOriginal(against: new), new != old,
            remembered?.marks[.archived] == nil
        else { return nil }
        return (old, new)
    }

    /// The original that the photo's address delivered last, whether it is shown or not.
    /// - Parameter now: the time of the build in seconds since 1970.
    func deliveredOriginal(now: Int64) -> Digest? {
        let row = row(now: now)
        return row.marks.lazy.compactMap(\.withheld).first ?? row.sha256
    }

    static func ordered(_ marks: [PhotoMark]) -> [PhotoMark] {
        marks.count < 2 ? marks : marks.sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
