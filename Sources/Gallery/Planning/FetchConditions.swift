internal import Downloads
internal import Ledger
internal import PhotoModel

/// What is asked about a photo's address: what is remembered of it, against which an answer is news or not.
struct FetchConditions: Sendable {
    let known: CachedOriginal?
    let refused: RefusedContent?
    let wait: RetryAfter?
    private let row: SourceRow?
    private let isRemote: Bool

    /// - Parameter row: what is remembered of the photo's address.
    init(_ record: PhotoRecord, row: SourceRow?, isForced: Bool) {
        self.row = row
        known = isForced ? nil : row.flatMap { Self.known(record, $0) }
        refused = isForced ? nil : row.flatMap { RefusedContent(row: $0) }
        wait = row.flatMap { RetryAfter(row: $0) }
        isRemote = record.source?.isRemote ?? false
    }

    /// What did not turn out well the last time is asked for again, however fresh its server calls it. What could not
    /// be decoded may have been damaged on its way, which a server that says "unchanged" does not know: so the whole
    /// is asked for again, a few times.
    private static func known(_ record: PhotoRecord, _ row: SourceRow) -> CachedOriginal? {
        guard var known = CachedOriginal(row: row) else { return nil }
        guard record.source?.isRemote == true else { return known }
        if mayHaveArrivedDamaged(record) { return nil }
        let isWell = record.remembered?.state != .failed && record.remembered?.stale == nil
        if !isWell { known.metadata.validated = nil }
        return known
    }

    private static func mayHaveArrivedDamaged(_ record: PhotoRecord) -> Bool {
        guard let remembered = record.remembered, remembered.attempts <= mostDoubts,
            let reason = remembered.reason ?? remembered.stale?.reason
        else { return false }
        return [.truncated, .corrupt].contains(reason.code)
    }

    private static let mostDoubts = 3

    /// Whether an answer says nothing but what is remembered of the address, except for when it was given.
    func isAnswered(asRemembered answer: CachedOriginal) -> Bool {
        guard let row, row.retryAfter == nil, row.retryStatus == nil, var known else { return false }
        known.metadata.validated = answer.metadata.validated
        return known == answer
    }

    /// Whether anybody was asked for this answer: not about an original that is still fresh, and not while the server
    /// wants to be left alone.
    func wasAsked(_ outcome: FetchOutcome) -> Bool {
        guard isRemote else { return true }
        switch outcome {
        case .unchanged(let original): return original != known
        case .postponed(let postponed): return postponed != wait
        default: return true
        }
    }
}
