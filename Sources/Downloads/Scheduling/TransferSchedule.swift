internal import PhotoModel

/// Which request starts when: the queue of those that may start, and those for which it is too early, because they
/// failed a moment ago or because their host asked for rest.
struct TransferSchedule {
    /// What is to be done with a request whose turn it is.
    enum Turn {
        case start(TransferRequest)
        /// Its host is left alone for the rest of the build, for this reason.
        case refuse(TransferRequest, Failure)
    }

    private struct Delayed: Comparable {
        let due: SuspendingClock.Instant
        let number: UInt64
        let request: TransferRequest

        static func < (left: Delayed, right: Delayed) -> Bool { (left.due, left.number) < (right.due, right.number) }
        static func == (left: Delayed, right: Delayed) -> Bool { left.number == right.number }
    }

    private let retries: Int
    private let backoff: Backoff
    private var queue: TransferQueue<TransferRequest>
    private var delayed = MinHeap<Delayed>()
    private var hosts = HostStandings()
    private var nextNumber: UInt64 = 0

    /// A server that wants to be left alone for longer is not waited for: the next build asks again.
    static let longestWait = Duration.seconds(60)

    init(limits: TransferLimits, jitter: @escaping Backoff.Jitter) {
        retries = max(0, limits.retries)
        backoff = Backoff(jitter: jitter)
        queue = TransferQueue(total: limits.total, perHost: limits.perHost)
    }

    mutating func append(_ request: TransferRequest) { queue.append(request, to: request.address.hostAndPort) }

    /// Lets those into the queue that have waited long enough.
    mutating func admit(now: SuspendingClock.Instant) {
        while let first = delayed.min, first.due <= now {
            _ = delayed.popMin()
            append(first.request)
        }
    }

    /// When there will be more to admit; nil if nothing waits for its time.
    var nextAdmission: SuspendingClock.Instant? { delayed.min?.due }

    /// - Returns: the next of those whose turn it is; one that is started counts as running until `ended(_:)`.
    mutating func next(now: SuspendingClock.Instant) -> Turn? {
        while let request = queue.next() {
            let host = request.address.hostAndPort
            if let failure = hosts.givenUp(host) {
                queue.finished(at: host)
                return .refuse(request, failure)
            }
            guard let moment = hosts.heldUntil(host, now: now) else { return .start(request) }
            queue.finished(at: host)
            delay(request, until: moment)
        }
        return nil
    }

    mutating func ended(_ request: TransferRequest) { queue.finished(at: request.address.hostAndPort) }

    /// The host of the request has said something.
    mutating func answered(_ request: TransferRequest) { hosts.answered(request.address.hostAndPort) }

    /// Puts a request that failed back, if it is to be tried again.
    ///
    /// - Returns: false if this was its last try.
    mutating func retry(_ request: TransferRequest, after failed: FailedTry, now: SuspendingClock.Instant) -> Bool {
        let host = request.address.hostAndPort
        if failed.isOfHost { count(failed, of: host, now: now) }
        guard failed.failure.mayPass, request.failures < retries, hosts.givenUp(host) == nil else { return false }
        var wait = backoff.wait(after: request.failures + 1)
        if let asked = failed.retryAfter.map({ Duration.seconds($0) }) {
            guard asked <= Self.longestWait else { return false }
            hosts.hold(host, until: now + asked)
            wait = max(wait, backoff.wait(asked: asked))
        }
        var again = request
        again.failures += 1
        delay(again, until: now + wait)
        return true
    }

    private mutating func count(_ failed: FailedTry, of host: String, now: SuspendingClock.Instant) {
        guard let failures = hosts.failed(host, failed.failure, began: failed.began, now: now) else { return }
        if hosts.givenUp(host) != nil {
            for one in delayed.removeAll() {
                if one.request.address.hostAndPort == host { append(one.request) } else { delayed.insert(one) }
            }
        } else if retries > 0 {
            // All that ask this host fall silent together; each by itself would spend the failures in no time.
            hosts.hold(host, until: now + backoff.wait(after: failures))
        }
    }

    private mutating func delay(_ request: TransferRequest, until due: SuspendingClock.Instant) {
        delayed.insert(Delayed(due: due, number: nextNumber, request: request))
        nextNumber += 1
    }
}

/// A transfer that failed, as far as it matters for the next.
struct FailedTry {
    let failure: Failure
    /// The host could not be asked at all: what other photos want of it will fare no better.
    let isOfHost: Bool
    let began: SuspendingClock.Instant
    /// For how long the server wants to be left alone, in seconds; nil if it did not say.
    let retryAfter: Int64?
}
