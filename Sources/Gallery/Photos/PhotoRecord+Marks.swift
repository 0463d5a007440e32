internal import Ledger
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

    static func ordered(_ marks: [PhotoMark]) -> [PhotoMark] {
        marks.count < 2 ? marks : marks.sorted { $0.code.rawValue < $1.code.rawValue }
    }

    /// The photo's current marks.
    /// - Parameter now: the time of the build in seconds since 1970.
    func marks(now: Int64) -> [PhotoMark] { row(now: now).value.marks }
}
