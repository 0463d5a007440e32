internal import HeapModule
internal import PhotoModel

/// Which request starts when: the queue of those that may start, and those for which it is too early, because they
/// failed a moment ago or because their host asked for rest.
struct TransferSchedule {
    /// The action for a request whose turn has come.
    enum Turn {
        case start(TransferRequest)
        /// Its host is left alone for the rest of the build, and this is all that there is to be had of it.
        case refuse(TransferRequest, FetchOutcome)
    }

    private struct Delayed: Comparable {
        let due: SuspendingClock.Instant
        let number: UInt64
        let request: TransferRequest

        static func < (left: Delayed, right: Delayed) -> Bool { (left.due, left.number) < (right.due, right.number) }
        static func == (left: Delayed, right: Delayed) -> Bool { left.number == right.number }
    }

    /// A host that is held, and when that ends, unless it was held for longer since.
    private struct Hold: Comparable {
        let end: SuspendingClock.Instant
        let host: String

        static func < (left: Hold, right: Hold) -> Bool { left.end < right.end }
    }

    private let retries: Int
    private let perHost: Int
    private let backoff: Backoff
    private var queue: TransferQueue<TransferRequest>
    private var delayed = Heap<Delayed>()
    private var holds = Heap<Hold>()
    private var hosts: HostHealth
    private var nextNumber: UInt64 = 0

    /// A server that wants to be left alone for longer is not waited for: the next build asks again.
    static let longestWait = Duration.seconds(60)

    /// An address that is throttled while its host serves others is tried no more often than this beside the tries
    /// that the user allows.
    private static let mostFreeTries = 10

    init(limits: TransferLimits, jitter: @escaping Backoff.Jitter) {
        retries = max(0, limits.retries)
        backoff = Backoff(jitter: jitter)
        queue = TransferQueue(total: limits.total, perHost: limits.perHost)
        perHost = max(1, min(limits.total, limits.perHost))
        hosts = HostHealth(perHost: perHost)
    }

    mutating func append(_ request: TransferRequest) { queue.append(request, to: request.target.hostAndPort) }

    /// Takes one that a redirect leads elsewhere. It goes before those that have not begun, as where it leads may be
    /// good for a short time only.
    mutating func appendContinued(_ request: TransferRequest) {
        queue.append(
            request, to: request.target.hostAndPort, continuedFrom: request.address.hostAndPort)
    }

    /// Lets those into the queue that have waited long enough.
    mutating func admit(now: SuspendingClock.Instant) {
        while let first = holds.min, first.end <= now {
            _ = holds.popMin()
            if hosts.heldUntil(first.host, now: now) == nil { queue.release(first.host) }
        }
        while let first = delayed.min, first.due <= now {
            _ = delayed.popMin()
            append(first.request)
        }
    }

    /// When the next waiting request becomes due; nil if none waits.
    var nextAdmission: SuspendingClock.Instant? {
        guard let due = delayed.min?.due, let end = holds.min?.end else { return delayed.min?.due ?? holds.min?.end }
        return min(due, end)
    }

    /// - Returns: the next of those whose turn it is; one that is started counts as running until `ended(_:)`.
    mutating func next() -> Turn? {
        guard let request = queue.next() else { return nil }
        let host = request.target.hostAndPort
        guard let outcome = hosts.circuitOpen(host) else { return .start(request) }
        queue.finished(at: host)
        return .refuse(request, outcome)
    }

    mutating func ended(_ request: TransferRequest) { queue.finished(at: request.target.hostAndPort) }

    /// The host of the request has said something.
    ///
    /// - Parameter isRejection: with it, it did no more than turn the request away for now.
    mutating func answered(_ request: TransferRequest, isRejection: Bool) {
        let host = request.target.hostAndPort
        if hosts.answered(host, isRejection: isRejection) { queue.limit(host, to: hosts.concurrencyLimit(host)) }
    }

    /// Puts a request that failed back, if it is to be tried again.
    ///
    /// - Returns: false if this was its last try.
    mutating func retry(_ request: TransferRequest, after failed: FailedAttempt, now: SuspendingClock.Instant) -> Bool {
        guard failed.failure.isTransient else { return false }
        let host = request.target.hostAndPort
        let inRow = failed.hostFailure.flatMap { hosts.failed(host, $0, began: failed.began, now: now) }
        let isFree = isFree(request, failed, inRow)
        if failed.isThrottling, inRow != nil {
            hosts.halveConcurrency(host)
            queue.limit(host, to: hosts.concurrencyLimit(host))
        }
        if let outcome = breaksCircuit(failed, inRow) { openCircuit(host, answering: outcome) }
        guard hosts.circuitOpen(host) == nil else { return false }
        let isLast = !isFree && request.failures >= retries
        let tries = min(request.failures + request.throttled, retries) + 1
        var wait: Duration
        if let inRow, let hostFailure = failed.hostFailure, inRow >= hostFailure.leastToPause {
            // The next photos of the list may all be broken for good, and keep the others from their turn in each
            // build: so one of the others is asked before the circuit breaks.
            let shares = hostFailure.circuitBreaker + 1
            queue.bringForward(Double(inRow % shares) / Double(shares), at: host)
        }
        if let inRow, failed.concernsAll || !isLast, pausesHost(failed, inRow) {
            wait = backoff.wait(after: failed.concernsAll ? min(inRow, retries + 1) : tries)
            hold(host, until: now + wait)
        } else if isFree, inRow == nil, hosts.heldUntil(host, now: now) != nil {
            // Nobody waits for himself where all that ask the host wait already.
            wait = .zero
        } else {
            wait = isLast ? .zero : backoff.wait(after: tries)
        }
        if let asked = failed.asked, asked > .zero {
            wait = max(wait, backoff.wait(asked: asked))
            hold(host, until: now + asked)
        }
        guard !isLast else { return false }
        // The redirects of the address are followed anew.
        var again = request.restarted
        if isFree { again.throttled += 1 } else { again.failures += 1 }
        delay(again, until: now + wait)
        return true
    }

    /// Whether it is no try of the photo that failed: there were too many at once, and the host serves others.
    ///
    /// - Parameter inRow: how many failures there were in a row; nil for one that ran beside another.
    private func isFree(_ request: TransferRequest, _ failed: FailedAttempt, _ inRow: Int?) -> Bool {
        guard retries > 0, failed.isThrottling, request.throttled < Self.mostFreeTries else { return false }
        guard !failed.isServing, let inRow else { return true }
        let host = request.target.hostAndPort
        let isAtLimit = failed.failure == .httpStatus(429) || hosts.concurrencyLimit(host) < perHost
        return inRow < HostFailure.rejected.leastToPause && hosts.hasServed(host) && isAtLimit
    }

    /// Whether all that ask the host wait as long as the photo. Where the host said for how long, they wait for that;
    /// "not at all" is not believed for ever.
    private func pausesHost(_ failed: FailedAttempt, _ inRow: Int) -> Bool {
        guard failed.retryAfter ?? 0 == 0 else { return false }
        if failed.failure == .httpStatus(429), failed.retryAfter == nil { return true }
        return retries > 0 && inRow >= failed.hostFailure?.leastToPause ?? .max
    }

    /// - Returns: the outcome of all that would be asked of the host after this failure; nil if the host is still
    ///   asked.
    private func breaksCircuit(_ failed: FailedAttempt, _ inRow: Int?) -> FetchOutcome? {
        if let wait = failed.wait, let asked = failed.asked, asked > Self.longestWait { return .postponed(wait) }
        // A host that is sending a photo works, however many other requests fail meanwhile.
        guard let limit = failed.hostFailure?.circuitBreaker, let inRow, inRow >= limit, !failed.isServing else {
            return nil
        }
        return .failed(failed.failure)
    }

    private mutating func hold(_ host: String, until moment: SuspendingClock.Instant) {
        guard hosts.circuitOpen(host) == nil else { return }
        hosts.hold(host, until: moment)
        queue.hold(host)
        holds.insert(Hold(end: moment, host: host))
    }

    private mutating func openCircuit(_ host: String, answering outcome: FetchOutcome) {
        hosts.openCircuit(host, answering: outcome)
        queue.release(host)
        let all = delayed.unordered
        delayed = Heap()
        for one in all {
            if one.request.target.hostAndPort == host { append(one.request) } else { delayed.insert(one) }
        }
    }

    private mutating func delay(_ request: TransferRequest, until due: SuspendingClock.Instant) {
        delayed.insert(Delayed(due: due, number: nextNumber, request: request))
        nextNumber += 1
    }
}
