internal import PhotoModel
internal import Synchronization

/// A fetch of an address, shared by all callers that wait for it.
///
/// `@unchecked Sendable`: what changes of it only `RequestCoalescer` reads and writes, behind its lock.
final class Fetch: @unchecked Sendable {
    fileprivate struct Waiter {
        let number: UInt64
        let completion: RequestCoalescer.Completion
    }

    fileprivate enum Phase {
        case open
        case finished(FetchOutcome)
        /// Nobody waits for it any more, and its answer is not kept.
        case over
    }

    fileprivate let address: Source.Location
    fileprivate var waiters: [Waiter]
    fileprivate var phase = Phase.open

    fileprivate init(of address: Source.Location, for waiter: Waiter) {
        self.address = address
        waiters = [waiter]
    }

    fileprivate var isOpen: Bool { if case .open = phase { true } else { false } }

    /// - Returns: those who waited.
    fileprivate func end(_ phase: Phase) -> [Waiter] {
        self.phase = phase
        defer { waiters = [] }
        return waiters
    }
}

/// Who waits for which address. The only place that decides who is answered, and that each is answered once.
final class RequestCoalescer: Sendable {
    typealias Completion = @Sendable (FetchOutcome) -> Void

    /// A caller that waits, and its completion.
    struct Subscription: Sendable {
        let fetch: Fetch
        fileprivate let waiter: UInt64
    }

    private struct Answer {
        let waiters: [Fetch.Waiter]
        let outcome: FetchOutcome

        func give() {
            for waiter in waiters { waiter.completion(outcome) }
        }
    }

    private struct State {
        /// The fetches that are open or finished.
        var fetches: [Source.Location: Fetch] = [:]
        /// Found, and left to `giveAnswers()`.
        var answers: [Answer] = []
        var nextNumber: UInt64 = 0
        /// The outcome of all fetches after shutdown; nil before.
        var closed: FetchOutcome?
    }

    private let state = Mutex(State())
    /// Answers go out one after the other, so that a slow receiver holds up others of its kind but no transfer.
    private let answers = WorkerPool(label: "downloads.answers", width: 1)

    /// - Parameters:
    ///   - isGood: whether an answer that was given to others still serves; if not, the fetch is begun anew.
    /// - Returns: the subscription of the one who asks, and whether it is the first, for which the fetch must be
    ///   started.
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
        if let answer { answers.submit { completion(answer) } }
        return (subscription, isFirst)
    }

    /// Answers `.cancelled` to one who waits.
    ///
    /// - Returns: true if nobody waits for the fetch any more, so that it can be stopped.
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
        if let completion { answers.submit { completion(.cancelled) } }
        return isAbandoned
    }

    /// False as soon as all who waited have left.
    func isWanted(_ fetch: Fetch) -> Bool { state.withLock { _ in fetch.isOpen } }

    /// Answers all who wait for the fetch, and later ones with the same. A failure of the store is not kept: what
    /// caused it may be over.
    ///
    /// - Parameter givingAnswers: false leaves them to `giveAnswers()`, or to whoever comes next.
    func finish(_ fetch: Fetch, with outcome: FetchOutcome, givingAnswers: Bool = true) {
        state.withLock { state in
            guard fetch.isOpen else { return }
            let isKept = if case .storeFailed = outcome { false } else { true }
            state.answers.append(
                Answer(waiters: fetch.end(isKept ? .finished(outcome) : .over), outcome: outcome))
            if !isKept { state.fetches[fetch.address] = nil }
        }
        if givingAnswers { giveAnswers() }
    }

    /// Gives the answers that `finish` left waiting.
    func giveAnswers() {
        let found = state.withLock { state in
            defer { state.answers = [] }
            return state.answers
        }
        guard !found.isEmpty else { return }
        answers.submit {
            for answer in found { answer.give() }
        }
    }

    /// Lets go of the answers that were given: who asks after this is the first.
    func forgetAnswers() {
        state.withLock { state in
            state.fetches = state.fetches.filter(\.value.isOpen)
        }
    }

    /// Answers `.cancelled` to all who wait. Finished fetches are still remembered.
    func cancelAll() { answerAll(.cancelled) }

    /// Answers all who wait, and all who come after this. The first to close it decides the answer.
    func close(answering outcome: FetchOutcome) {
        answerAll(
            state.withLock { state in
                state.closed = state.closed ?? outcome
                return state.closed ?? outcome
            })
    }

    /// Returns once every answer has been given; at once if called by one who is being answered.
    func waitForAnswers() {
        giveAnswers()
        answers.waitUntilIdle()
    }

    private func answerAll(_ outcome: FetchOutcome) {
        state.withLock { state in
            for fetch in state.fetches.values.filter(\.isOpen) {
                state.fetches[fetch.address] = nil
                state.answers.append(Answer(waiters: fetch.end(.over), outcome: outcome))
            }
        }
        giveAnswers()
    }
}
