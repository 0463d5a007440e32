internal import Downloads
internal import Ledger
internal import PhotoModel
internal import Synchronization

/// A revalidation request that is sent while the plan is still being made, because its photo is revalidated whatever
/// the plan says.
package final class EarlyRevalidation: Sendable {
    private enum Phase {
        case open
        case answered(FetchOutcome)
        case awaited(@Sendable (FetchOutcome) -> Void)
        /// The answer was passed on. The closure that received it is released, because it refers to the build.
        case over
    }

    let conditions: FetchConditions
    private let phase = Mutex(Phase.open)

    /// The largest number of early requests. It keeps the transfers busy until the plan is made.
    static let maxRequests = 2_048

    private init(_ conditions: FetchConditions, about source: Source, of downloader: Downloader) {
        self.conditions = conditions
        // Cancelling the build ends all transfers of the downloader, so no handle is kept.
        _ = downloader.fetch(source, known: conditions.known, refused: conditions.refused, wait: conditions.wait) {
            [self] in
            answer($0)
        }
    }

    /// Requests the addresses of those of the first photos that are revalidated whatever the state of the disk.
    /// - Returns: the early requests, parallel to the records; nil for a record without one.
    static func begin(_ records: [PhotoRecord], planner: PhotoPlanner, downloader: Downloader) -> [EarlyRevalidation?] {
        var early = [EarlyRevalidation?](repeating: nil, count: records.count)
        for (index, isAsked) in PhotoPlan.revalidatedEarly(records.prefix(maxRequests).lazy.map(planner.photoPlan))
            .enumerated()
        {
            let record = records[index]
            guard isAsked, let source = record.source, source.isRemote else { continue }
            let row = record.sourceKey.flatMap { planner.snapshot.sources[$0] }
            early[index] = EarlyRevalidation(
                FetchConditions(
                    record, at: source, row: row, now: planner.now, isForced: planner.isForced), about: source,
                of: downloader)
        }
        return early
    }

    /// - Parameter action: a closure that is called once, now or when the answer arrives.
    func whenAnswered(_ action: @escaping @Sendable (FetchOutcome) -> Void) {
        let outcome = phase.withLock { phase -> FetchOutcome? in
            if case .answered(let outcome) = phase {
                phase = .over
                return outcome
            }
            phase = .awaited(action)
            return nil
        }
        if let outcome { action(outcome) }
    }

    private func answer(_ outcome: FetchOutcome) {
        let action = phase.withLock { phase -> (@Sendable (FetchOutcome) -> Void)? in
            if case .awaited(let action) = phase {
                phase = .over
                return action
            }
            phase = .answered(outcome)
            return nil
        }
        action?(outcome)
    }
}
