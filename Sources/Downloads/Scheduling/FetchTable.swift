internal import PhotoModel
internal import Synchronization

/// One fetch of an address, however many wait for it.
struct FetchID: Hashable, Sendable {
    fileprivate let number: UInt64
}

/// Who waits for which address. The only place that decides who is answered, and that each is answered once.
final class FetchTable: Sendable {
    typealias Completion = @Sendable (FetchOutcome) -> Void

    /// One who waits, and for what.
    struct Place: Hashable, Sendable {
        let fetch: FetchID
        fileprivate let waiter: UInt64
    }

    private enum Entry {
        case open(FetchID)
        /// Held apart: most places of a large table are empty.
        indirect case finished(FetchOutcome)
    }

    private struct Fetch {
        let address: Source.Location
        var waiters: [UInt64: Completion]
        var keepsAnswer: Bool

        func keeps(_ outcome: FetchOutcome) -> Bool {
            if case .storeFailed = outcome { return false }
            // What failed is not to be tried again by one who looks for it once more.
            return keepsAnswer || outcome.known == nil
        }
    }

    private struct State {
        var addresses: [Source.Location: Entry] = [:]
        var fetches: [FetchID: Fetch] = [:]
        var nextNumber: UInt64 = 0
        /// What everybody is told from now on; nil while fetches are taken.
        var closed: FetchOutcome?

        mutating func newNumber() -> UInt64 {
            nextNumber += 1
            return nextNumber
        }
    }

    private let state = Mutex(State())
    /// Answers go out one after the other, so that a slow receiver holds up others of its kind but no transfer.
    private let answers = WorkerPool(label: "downloads.answers", width: 1)

    /// - Parameters:
    ///   - isGood: whether an answer that was given to others still serves; if not, the fetch is begun anew.
    ///   - keepingAnswer: false if nobody is expected to ask for it again once the original is there.
    /// - Returns: the place of the one who asks, and whether this is the first, for whom the fetch must be started.
    func join(
        _ address: Source.Location, reusing isGood: (FetchOutcome) -> Bool = { _ in true },
        keepingAnswer: Bool = true, completion: @escaping Completion
    ) -> (place: Place?, isFirst: Bool) {
        let (place, isFirst, answer) = state.withLock { state -> (Place?, Bool, FetchOutcome?) in
            if let closed = state.closed { return (nil, false, closed) }
            let waiter = state.newNumber()
            switch state.addresses[address] {
            case .finished(let outcome) where isGood(outcome):
                return (nil, false, outcome)
            case .open(let id):
                state.fetches[id]?.waiters[waiter] = completion
                if keepingAnswer { state.fetches[id]?.keepsAnswer = true }
                return (Place(fetch: id, waiter: waiter), false, nil)
            case .finished, nil:
                let id = FetchID(number: waiter)
                state.addresses[address] = .open(id)
                state.fetches[id] = Fetch(
                    address: address, waiters: [waiter: completion], keepsAnswer: keepingAnswer)
                return (Place(fetch: id, waiter: waiter), true, nil)
            }
        }
        if let answer { answers.submit { completion(answer) } }
        return (place, isFirst)
    }

    /// Answers `.cancelled` to one who waits.
    ///
    /// - Returns: true if nobody waits for the fetch any more, so that it can be stopped.
    func leave(_ place: Place) -> Bool {
        let (completion, isAbandoned) = state.withLock { state -> (Completion?, Bool) in
            guard let completion = state.fetches[place.fetch]?.waiters.removeValue(forKey: place.waiter),
                let fetch = state.fetches[place.fetch]
            else { return (nil, false) }
            guard fetch.waiters.isEmpty else { return (completion, false) }
            state.fetches[place.fetch] = nil
            state.addresses[fetch.address] = nil
            return (completion, true)
        }
        if let completion { answers.submit { completion(.cancelled) } }
        return isAbandoned
    }

    /// False as soon as all who waited have left.
    func isWanted(_ id: FetchID) -> Bool { state.withLock { $0.fetches[id] != nil } }

    /// Answers all who wait for the fetch, and later ones with the same. A failure of the store is not kept: what
    /// caused it may be over.
    ///
    /// - Parameter givingAnswers: false leaves them to `giveAnswers()`, or to whoever comes next.
    func finish(_ id: FetchID, with outcome: FetchOutcome, givingAnswers: Bool = true) {
        let fetch = state.withLock { state -> Fetch? in
            guard let fetch = state.fetches.removeValue(forKey: id) else { return nil }
            state.addresses[fetch.address] = fetch.keeps(outcome) ? .finished(outcome) : nil
            return fetch
        }
        guard let fetch else { return }
        answers.submit(startingNow: givingAnswers) {
            for completion in fetch.waiters.values { completion(outcome) }
        }
    }

    /// Gives the answers that `finish` left waiting.
    func giveAnswers() { answers.startWorkers() }

    /// Lets go of the answers that were given: who asks after this is the first.
    func forgetAnswers() {
        state.withLock { state in
            state.addresses = state.addresses.filter { if case .open = $0.value { true } else { false } }
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
    func waitForAnswers() { answers.waitUntilIdle() }

    private func answerAll(_ outcome: FetchOutcome) {
        let abandoned = state.withLock { state -> [Fetch] in
            defer { state.fetches = [:] }
            for fetch in state.fetches.values { state.addresses[fetch.address] = nil }
            return Array(state.fetches.values)
        }
        guard !abandoned.isEmpty else { return }
        answers.submit {
            for completion in abandoned.flatMap(\.waiters.values) { completion(outcome) }
        }
    }
}
