internal import Downloads
internal import Ledger
internal import Manifest
internal import PhotoModel

/// The conditions of a request: what the ledger knows of the address. They decide whether an answer is new.
struct FetchConditions: Sendable {
    let known: CachedOriginal?
    let refused: RefusedContent?
    let wait: RetryAfter?
    private let row: SourceRow?
    private let isRemote: Bool

    /// - Parameters:
    ///   - source: the address of the photo that is requested.
    ///   - row: the ledger's row of that address.
    ///   - now: the time of the build in seconds since 1970.
    init(_ record: PhotoRecord, at source: Source, row: SourceRow?, now: Int64, isForced: Bool) {
        self.row = row
        known = isForced ? nil : row.flatMap { Self.known(record, source, $0, now: now) }
        refused = isForced ? nil : row.flatMap { RefusedContent(row: $0) }
        wait = row.flatMap { RetryAfter(row: $0) }
        isRemote = source.isRemote
    }

    /// The original to revalidate; nil if the whole content is fetched.
    private static func known(
        _ record: PhotoRecord, _ source: Source, _ row: SourceRow, now: Int64
    ) -> CachedOriginal? {
        guard var known = CachedOriginal(row: row) else { return nil }
        guard source.isRemote else { return known }
        guard let remembered = record.remembered else { return known }
        if remembered.mayHaveArrivedDamaged { return nil }
        if record.requestReason(at: source.rowKey, now: now) != nil { known.metadata.validated = nil }
        return known
    }

    /// Whether an answer equals the ledger's row, except for the time at which it was given.
    func isAnswered(asRemembered answer: CachedOriginal) -> Bool {
        guard let row, row.retryAfter == nil, row.retryStatus == nil, var known else { return false }
        known.metadata.validated = answer.metadata.validated
        return known == answer
    }

    /// Whether a server was contacted for this answer. No server is contacted for a fresh original, or during a pause
    /// that the server asked for.
    func wasRequested(_ outcome: FetchOutcome) -> Bool {
        guard isRemote else { return true }
        switch outcome {
        case .unchanged(let original): return original != known
        case .postponed(let postponed): return postponed != wait
        default: return true
        }
    }
}

extension PhotoFields {
    /// Whether the photo's content could not be decoded, and might have been damaged in transit. A server that answers
    /// 304 can't know that, so the whole content is fetched again, at most `maxRefetches` times.
    var mayHaveArrivedDamaged: Bool {
        guard attempts <= Self.maxRefetches, let reason = reason ?? stale?.reason else { return false }
        return [.truncated, .corrupt].contains(reason.code)
    }

    private static let maxRefetches = 3
}
