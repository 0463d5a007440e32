internal import PhotoModel

/// How the hosts of a build behave: which of them are to be asked later, and which not at all any more.
struct HostStandings {
    /// Where a failure stands among those of its kind.
    struct Place: Hashable {
        /// How many there have been in a row, this one included.
        let number: Int
        /// It begins a row, and there was one before: between the two the host served somebody.
        let isNewRow: Bool
    }

    /// Failures of one kind in a row, those that ran side by side counted as one.
    private struct Run {
        var count = 0
        var lastCounted: SuspendingClock.Instant?
    }

    private struct Standing {
        var silences = Run()
        var refusals = Run()
        var heldUntil: SuspendingClock.Instant?
        var leftAlone: FetchOutcome?
    }

    private var standings: [String: Standing] = [:]

    /// What all that ask the host get for the rest of the build, in place of an answer; nil for one that may be asked.
    func leftAlone(_ host: String) -> FetchOutcome? { standings[host]?.leftAlone }

    /// Until when nothing new is asked of the host; nil if that time is over or there was none.
    func heldUntil(_ host: String, now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        standings[host]?.heldUntil.flatMap { $0 > now ? $0 : nil }
    }

    /// The host has said something.
    ///
    /// - Parameter isRefusal: with it, it did no more than turn the request away for now.
    mutating func answered(_ host: String, isRefusal: Bool) {
        guard standings[host] != nil else { return }
        standings[host]?.silences.count = 0
        if !isRefusal { standings[host]?.refusals.count = 0 }
    }

    mutating func hold(_ host: String, until moment: SuspendingClock.Instant) {
        let held = standings[host]?.heldUntil
        standings[host, default: Standing()].heldUntil = held.map { max($0, moment) } ?? moment
    }

    /// What the server itself asked for outlasts what we made of its failures.
    mutating func leaveAlone(_ host: String, answering outcome: FetchOutcome) {
        if case .postponed? = standings[host]?.leftAlone, case .failed = outcome { return }
        standings[host, default: Standing()].leftAlone = outcome
    }

    /// - Parameter began: when the try did. One that began before the last failure was counted tells nothing new.
    /// - Returns: nil for one that tells nothing new.
    mutating func failed(
        _ host: String, _ fault: HostFault, began: SuspendingClock.Instant, now: SuspendingClock.Instant
    ) -> Place? {
        let kind: WritableKeyPath<Standing, Run> = fault == .silence ? \.silences : \.refusals
        var standing = standings[host] ?? Standing()
        let last = standing[keyPath: kind].lastCounted
        if let last, began < last { return nil }
        standing[keyPath: kind].count += 1
        standing[keyPath: kind].lastCounted = now
        standings[host] = standing
        let number = standing[keyPath: kind].count
        return Place(number: number, isNewRow: number == 1 && last != nil)
    }
}
