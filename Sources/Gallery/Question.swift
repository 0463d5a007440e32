internal import Downloads
internal import PhotoModel

/// What is asked about a photo's address: what is remembered of it, against which an answer is news or not.
struct Question: Sendable {
    let known: KnownOriginal?
    let wait: ServerWait?
    private let isRemote: Bool

    init(_ record: PhotoRecord, in workshop: Workshop) {
        known = workshop.known(record)
        wait = workshop.wait(record)
        isRemote = record.source?.isRemote ?? false
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
