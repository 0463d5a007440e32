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
    private let backoff: Backoff
    private var queue: TransferQueue<TransferRequest>
    private var delayed = Heap<Delayed>()
    private var holds = Heap<Hold>()
    private var hosts: HostHealth
    private var nextNumber: UInt64 = 0

    /// A server that wants to be left alone for longer is not waited for: the next build asks again.
    static let longestWait = Duration.seconds(60)

    /// An address that is refused for asking too often, while its host serves others, is tried no more often than
    /// this beside the tries that the user allows.
    private static let mostFreeTries = 10

    init(limits: TransferLimits, jitter: @escaping Backoff.Jitter) {
        retries = max(0, limits.retries)
        backoff = Backoff(jitter: jitter)
        queue = TransferQueue(total: limits.total, perHost: limits.perHost)
        hosts = HostHealth(perHost: min(limits.total, limits.perHost))
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
    /// - Parameter isRefusal: with it, it did no more than turn the request away for now.
    mutating func answered(_ request: TransferRequest, isRefusal: Bool) {
        let host = request.target.hostAndPort
        if hosts.answered(host, isRefusal: isRefusal) { queue.limit(host, to: hosts.concurrencyLimit(host)) }
    }

    /// Puts a request that failed back, if it is to be tried again.
    ///
    /// - Returns: false if this was its last try.
    mutating func retry(_ request: TransferRequest, after failed: FailedAttempt, now: SuspendingClock.Instant) -> Bool {
        guard failed.failure.isTransient else { return false }
        let host = request.target.hostAndPort
        var failed = failed
        failed.isCrowded = hosts.isCrowded(host)
        failed.hasServed = hosts.hasServed(host)
        let place = failed.fault.flatMap { hosts.failed(host, $0, began: failed.began, now: now) }
        judge(host, failed, place, now: now)
        guard hosts.circuitOpen(host) == nil, failed.asked ?? .zero <= Self.longestWait else { return false }
        let isFree = retries > 0 && request.throttled < Self.mostFreeTries && failed.isFree(place)
        let isLast = !isFree && request.failures >= retries
        let pausesHost = failed.pausesHost(place) && (failed.isThrottled || !isLast)
        guard pausesHost || !isLast else { return false }
        // Nobody waits for himself where all that ask the host wait already.
        let isHeld = hosts.heldUntil(host, now: now) != nil
        let number = failed.number(place, of: request, retries: retries)
        var wait = isFree && place == nil && isHeld ? .zero : backoff.wait(after: number)
        if let asked = failed.asked { wait = max(wait, backoff.wait(asked: asked)) }
        if pausesHost { hold(host, until: now + wait) }
        guard !isLast else { return false }
        // The redirects of the address are followed anew.
        var again = request.restarted
        if isFree { again.throttled += 1 } else { again.failures += 1 }
        delay(again, until: now + wait)
        return true
    }

    /// Applies the failure to all requests for the host.
    ///
    /// - Parameter place: among those of its kind; nil if this one tells nothing new.
    private mutating func judge(
        _ host: String, _ failed: FailedAttempt, _ place: Int?, now: SuspendingClock.Instant
    ) {
        guard let fault = failed.fault else { return }
        let asked = failed.asked ?? .zero
        if let wait = failed.wait, asked > Self.longestWait {
            return leaveAlone(host, answering: .postponed(wait))
        }
        if asked > .zero { hold(host, until: now + asked) }
        if failed.isThrottled, place != nil {
            hosts.slowDown(host)
            queue.limit(host, to: hosts.concurrencyLimit(host))
        }
        if let place, place >= fault.leastToPause {
            // The next photos of the list may all be broken for good, and keep the others from their turn in each
            // build: so one of the others is requested before the host is judged.
            let shares = fault.most + 1
            queue.bringForward(Double(place % shares) / Double(shares), at: host)
        }
        // A host that is sending a photo works, however many other requests fail meanwhile.
        if let place, place >= fault.most, !failed.isServing {
            leaveAlone(host, answering: .failed(failed.failure))
        } else if fault == .silence, let place, place >= fault.leastToPause, retries > 0 {
            // All that ask this host fall silent together; each by itself would spend the failures in no time.
            hold(host, until: now + backoff.wait(after: place))
        }
    }

    private mutating func hold(_ host: String, until moment: SuspendingClock.Instant) {
        guard hosts.circuitOpen(host) == nil else { return }
        hosts.hold(host, until: moment)
        queue.hold(host)
        holds.insert(Hold(end: moment, host: host))
    }

    private mutating func leaveAlone(_ host: String, answering outcome: FetchOutcome) {
        hosts.leaveAlone(host, answering: outcome)
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
