internal import PhotoModel
internal import Synchronization

/// A fetch of an address, shared by all callers that wait for it.
///
/// `@unchecked Sendable`: only `RequestCoalescer` reads and writes the mutable properties, under its lock.
final class Fetch: @unchecked Sendable {
    fileprivate struct Waiter {
        let number: UInt64
        let completion: RequestCoalescer.Completion
    }

    fileprivate enum Phase {
        case open
        case finished(FetchOutcome)
        /// The fetch has ended or has lost all its callers, and its outcome is not kept.
        case over
    }

    fileprivate let address: Source.Location
    fileprivate var waiters: [Waiter]
    fileprivate var phase = Phase.open
    fileprivate var transferTime = Duration.zero

    fileprivate init(of address: Source.Location, for waiter: Waiter) {
        self.address = address
        waiters = [waiter]
    }

    fileprivate var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Ends the fetch.
    ///
    /// - Returns: the callers that were waiting.
    fileprivate func end(_ phase: Phase) -> [Waiter] {
        self.phase = phase
        defer { waiters = [] }
        return waiters
    }
}

/// Joins requests for the same address: all callers wait for one fetch, and each gets its outcome exactly once.
final class RequestCoalescer: Sendable {
    typealias Completion = @Sendable (FetchOutcome) -> Void

    /// A caller's wait for a fetch.
    struct Subscription: Sendable {
        let fetch: Fetch
        fileprivate let waiter: UInt64
    }

    private struct Delivery {
        let waiters: [Fetch.Waiter]
        let outcome: FetchOutcome

        func deliver() {
            for waiter in waiters { waiter.completion(outcome) }
        }
    }

    private struct State {
        /// The fetches that are open or finished.
        var fetches: [Source.Location: Fetch] = [:]
        /// The outcomes that wait for `deliverOutcomes()`.
        var undelivered: [Delivery] = []
        var nextNumber: UInt64 = 0
        /// The outcome of every fetch after shutdown; nil before.
        var closed: FetchOutcome?
    }

    private let state = Mutex(State())
    /// The pool that runs the completions, one after the other, so that a slow one delays other completions but no
    /// transfer.
    private let deliveries = WorkerPool(label: "downloads.answers", width: 1)

    /// Joins the fetch of an address, or creates one.
    ///
    /// - Parameter isGood: whether the outcome of a finished fetch can be reused. If not, a new fetch begins.
    /// - Returns: the subscription of the caller, which is nil if the outcome is already known, and whether the caller
    ///   is the first, for which the fetch must be started.
    func join(
        _ address: Source.Location, reusing isGood: (FetchOutcome) -> Bool = { _ in true },
        completion: @escaping Completion
    ) -> (subscription: Subscription?, isFirst: Bool) {
        let (subscription, isFirst, answer) = state.withLock { state -> (Subscription?, Bool, FetchOutcome?) in
            if let closed = state.closed { return (nil, false, closed) }
            state.nextNumber += 1
            let waiter = Fetch.Waiter(number: state.nextNumber, completion: completion)
            if let fetch = state.fetches[address] {
                switch fetch.phase {
                case .finished(let outcome) where isGood(outcome):
                    return (nil, false, outcome)
                case .open:
                    fetch.waiters.append(waiter)
                    return (Subscription(fetch: fetch, waiter: waiter.number), false, nil)
                case .finished, .over: break
                }
            }
            let fetch = Fetch(of: address, for: waiter)
            state.fetches[address] = fetch
            return (Subscription(fetch: fetch, waiter: waiter.number), true, nil)
        }
        if let answer { deliveries.submit { completion(answer) } }
        return (subscription, isFirst)
    }

    /// Answers `.cancelled` to one caller.
    ///
    /// - Returns: true if no other caller waits for the fetch, so that it can be stopped.
    func cancel(_ subscription: Subscription) -> Bool {
        let (completion, isAbandoned) = state.withLock { state -> (Completion?, Bool) in
            let fetch = subscription.fetch
            guard let index = fetch.waiters.firstIndex(where: { $0.number == subscription.waiter }) else {
                return (nil, false)
            }
            let completion = fetch.waiters.remove(at: index).completion
            guard fetch.waiters.isEmpty else { return (completion, false) }
            fetch.phase = .over
            state.fetches[fetch.address] = nil
            return (completion, true)
        }
        if let completion { deliveries.submit { completion(.cancelled) } }
        return isAbandoned
    }

    /// Whether any caller still waits for the fetch.
    func isWanted(_ fetch: Fetch) -> Bool { state.withLock { _ in fetch.isOpen } }

    /// Adds to the time that the transfers of the fetch took, including redirects and retries.
    func add(_ time: Duration, to fetch: Fetch) { state.withLock { _ in fetch.transferTime += time } }

    /// The time that the transfers of the fetch have taken so far, without the waits between them.
    func transferTime(of fetch: Fetch) -> Duration { state.withLock { _ in fetch.transferTime } }

    /// Answers all callers that wait for the fetch, and later ones with the same outcome. A failure of the store is not
    /// kept, because its cause can disappear.
    ///
    /// - Parameter delivering: whether the completions are called now; if not, the next delivery calls them.
    func finish(_ fetch: Fetch, with outcome: FetchOutcome, delivering: Bool = true) {
        state.withLock { state in
            guard fetch.isOpen else { return }
            let isKept = if case .storeFailed = outcome { false } else { true }
            state.undelivered.append(
                Delivery(waiters: fetch.end(isKept ? .finished(outcome) : .over), outcome: outcome))
            if !isKept { state.fetches[fetch.address] = nil }
        }
        if delivering { deliverOutcomes() }
    }

    /// Calls the completions of all outcomes that have not been delivered.
    func deliverOutcomes() {
        let found = state.withLock { state in
            defer { state.undelivered = [] }
            return state.undelivered
        }
        guard !found.isEmpty else { return }
        deliveries.submit {
            for delivery in found { delivery.deliver() }
        }
    }

    /// Discards finished fetches. A later request for one of their addresses starts a new fetch.
    func discardOutcomes() {
        state.withLock { state in
            state.fetches = state.fetches.filter(\.value.isOpen)
        }
    }

    /// Answers `.cancelled` to all waiting callers. Finished fetches are still remembered.
    func cancelAll() { finishAll(.cancelled) }

    /// Answers all waiting and all later callers. If this is called again, the first outcome stays.
    func close(answering outcome: FetchOutcome) {
        finishAll(
            state.withLock { state in
                state.closed = state.closed ?? outcome
                return state.closed ?? outcome
            })
    }

    /// Returns once every completion has returned; at once if a completion calls this.
    func waitForDeliveries() {
        deliverOutcomes()
        deliveries.waitUntilIdle()
    }

    private func finishAll(_ outcome: FetchOutcome) {
        state.withLock { state in
            for fetch in state.fetches.values.filter(\.isOpen) {
                state.fetches[fetch.address] = nil
                state.undelivered.append(Delivery(waiters: fetch.end(.over), outcome: outcome))
            }
        }
        deliverOutcomes()
    }
}
