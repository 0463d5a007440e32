internal import HeapModule
internal import PhotoModel

/// Decides which request starts when. It holds the queue of requests that may start, and the requests that wait for a
/// retry or for the end of their host's pause.
struct TransferSchedule {
    /// The action for the next request.
    enum Action {
        case start(TransferRequest)
        /// The host is not contacted again in this build, and every further request to it has this outcome.
        case refuse(TransferRequest, FetchOutcome)
    }

    private struct Delayed: Comparable {
        let due: SuspendingClock.Instant
        let number: UInt64
        let request: TransferRequest

        static func < (left: Delayed, right: Delayed) -> Bool { (left.due, left.number) < (right.due, right.number) }
        static func == (left: Delayed, right: Delayed) -> Bool { left.number == right.number }
    }

    /// A paused host, and the time at which the pause ends unless a longer one has followed.
    private struct Pause: Comparable {
        let end: SuspendingClock.Instant
        let host: String

        static func < (left: Pause, right: Pause) -> Bool { left.end < right.end }
    }

    private let policy: RetryPolicy
    private let perHost: Int
    private let interval: Duration
    private let backoff: Backoff
    private var queue: TransferQueue<TransferRequest>
    private var delayed = Heap<Delayed>()
    private var pauses = Heap<Pause>()
    private var hosts: HostHealth
    /// The time before which no other request to a host starts. Only used if there is an interval.
    private var nextStarts: [String: SuspendingClock.Instant] = [:]
    /// The request windows of the hosts that have answered a conditional request or rejected a request.
    private var windows: [String: RequestWindow] = [:]
    /// The request window of all hosts together.
    private var window: RequestWindow
    private let maxRequests: Int
    private var nextNumber: UInt64 = 0

    init(limits: TransferLimits, jitter: @escaping Backoff.Jitter) {
        policy = RetryPolicy(retries: max(0, limits.retries))
        backoff = Backoff(jitter: jitter)
        queue = TransferQueue(total: limits.total, perHost: limits.perHost)
        window = RequestWindow(downloads: max(1, limits.total))
        maxRequests = limits.requests
        interval = limits.requestInterval
        perHost = max(1, min(limits.total, limits.perHost))
        hosts = HostHealth(perHost: perHost)
    }

    mutating func append(_ request: TransferRequest) { queue.append(request, to: request.target.hostAndPort) }

    /// Adds a request that continues at the target of a redirect. It goes before requests that have not begun, because
    /// the target may be valid for a short time only.
    mutating func appendRedirected(_ request: TransferRequest) {
        queue.append(
            request, to: request.target.hostAndPort, redirectedFrom: request.address.hostAndPort)
    }

    /// Resumes the hosts whose pause is over, and moves the requests whose wait is over to the queue.
    mutating func admit(now: SuspendingClock.Instant) {
        while let first = pauses.min, first.end <= now {
            _ = pauses.popMin()
            let isPaced = nextStarts[first.host].map { $0 > now } ?? false
            if !isPaced && hosts.pausedUntil(first.host, now: now) == nil { queue.resume(first.host) }
        }
        while let first = delayed.min, first.due <= now {
            _ = delayed.popMin()
            append(first.request)
        }
    }

    /// When the next pause or wait is over; nil if there is none.
    var nextAdmission: SuspendingClock.Instant? {
        guard let due = delayed.min?.due, let end = pauses.min?.end else { return delayed.min?.due ?? pauses.min?.end }
        return min(due, end)
    }

    /// - Returns: what happens to the next request; nil if none may start. A request that starts counts as running
    ///   until `ended(_:isDownload:)`.
    mutating func next(now: SuspendingClock.Instant) -> Action? {
        guard let request = queue.next() else { return nil }
        let host = request.target.hostAndPort
        guard let outcome = hosts.circuitOpen(host) else {
            pace(host, now: now)
            return .start(request)
        }
        queue.finished(at: host, isDownload: request.isDownload)
        return .refuse(request, outcome)
    }

    /// Pauses a host until the next request to it may start.
    private mutating func pace(_ host: String, now: SuspendingClock.Instant) {
        guard interval > .zero else { return }
        let end = now + interval
        nextStarts[host] = end
        queue.pause(host)
        pauses.insert(Pause(end: end, host: host))
    }

    /// - Parameter isDownload: whether the request was a download, or has become one.
    mutating func ended(_ request: TransferRequest, isDownload: Bool) {
        queue.finished(at: request.target.hostAndPort, isDownload: isDownload)
    }

    /// Turns a conditional request that is answered with a body into a download.
    ///
    /// - Returns: false if as many downloads as allowed are running.
    mutating func beginDownload(_ request: TransferRequest) -> Bool {
        queue.beginDownload(at: request.target.hostAndPort)
    }

    /// Puts back a request that has to wait for a download to end. It goes before all others.
    mutating func appendDownload(_ request: TransferRequest) {
        let host = request.target.hostAndPort
        changeWindow(host) { $0.needsDownloads() }
        window.needsDownloads()
        queue.limit(requests: window.size)
        var request = request
        request.needsDownload = true
        queue.putBack(request, to: host)
    }

    /// Notes that the request's host answered 304.
    mutating func confirmed(
        _ request: TransferRequest, in time: Duration, isMultiplexed: Bool, opensConnection: Bool,
        began: SuspendingClock.Instant
    ) {
        changeWindow(request.target.hostAndPort) {
            $0.confirmed(in: time, isMultiplexed: isMultiplexed, opensConnection: opensConnection, began: began)
        }
        // A host that answers slowly says nothing about the others, so this window takes every answer for a prompt one.
        window.confirmed(
            in: .zero, isMultiplexed: isMultiplexed, opensConnection: opensConnection, began: began)
        queue.limit(requests: min(window.size, maxRequests))
    }

    private mutating func changeWindow(_ host: String, _ change: (inout RequestWindow) -> Void) {
        var window = windows[host] ?? RequestWindow(downloads: perHost)
        let size = window.size
        change(&window)
        windows[host] = window
        if window.size != size { limit(host) }
    }

    private mutating func limit(_ host: String) {
        let downloads = hosts.concurrencyLimit(host)
        queue.limit(host, to: .init(downloads: downloads, requests: max(downloads, windows[host]?.size ?? 0)))
    }

    /// Notes a response of the request's host.
    ///
    /// - Parameter isRejection: whether the host only turned the request away for now.
    mutating func answered(_ request: TransferRequest, isRejection: Bool) {
        let host = request.target.hostAndPort
        if hosts.answered(host, isRejection: isRejection) { limit(host) }
    }

    /// Schedules another attempt at a request that has failed, if it is to be tried again.
    ///
    /// - Returns: false if the request is not tried again.
    mutating func retry(_ request: TransferRequest, after failed: FailedAttempt, now: SuspendingClock.Instant) -> Bool {
        guard failed.failure.isTransient else { return false }
        let host = request.target.hostAndPort
        let inRow = failed.hostFailure.flatMap { hosts.failed(host, $0, began: failed.began, now: now) }
        let isAtLimit = hosts.concurrencyLimit(host) < perHost
        let isUncounted = policy.isUncounted(
            failed, throttled: request.throttled, inRow: inRow, hostHasServed: hosts.hasServed(host),
            hostIsLimited: isAtLimit)
        if failed.isThrottling, inRow != nil {
            hosts.halveConcurrency(host)
            changeWindow(host) { $0.rejected() }
            limit(host)
        }
        if let outcome = policy.outcomeForHost(after: failed, inRow: inRow) { openCircuit(host, answering: outcome) }
        guard hosts.circuitOpen(host) == nil else { return false }
        let isLast = !isUncounted && request.failures >= policy.retries
        let tries = min(request.failures + request.throttled, policy.retries) + 1
        var wait: Duration
        if let inRow, let hostFailure = failed.hostFailure, inRow >= hostFailure.pauseThreshold {
            // The next photos of the list may all be broken for good. If only they were requested, they would trip the
            // circuit breaker in every build, and the host's other photos would never be requested. So after each
            // pause, a photo from further down the list goes first. Photos that have failed already say nothing new.
            let shares = hostFailure.circuitBreakerThreshold + 1
            queue.promote(Double(inRow % shares) / Double(shares), at: host)
        }
        if let inRow, failed.concernsHost || !isLast, policy.pausesHost(after: failed, inRow: inRow) {
            wait = backoff.wait(after: failed.concernsHost ? min(inRow, policy.retries + 1) : tries)
            pause(host, until: now + wait)
        } else if isUncounted, inRow == nil, hosts.pausedUntil(host, now: now) != nil {
            // The pause of the host covers this request too.
            wait = .zero
        } else {
            wait = isLast ? .zero : backoff.wait(after: tries)
        }
        if let asked = failed.requestedPause, asked > .zero {
            wait = max(wait, backoff.wait(requested: asked))
            pause(host, until: now + asked)
        }
        guard !isLast else { return false }
        // The next attempt requests the photo's own address, and follows its redirects anew.
        var again = request.restarted
        if isUncounted { again.throttled += 1 } else { again.failures += 1 }
        delay(again, until: now + wait)
        return true
    }

    private mutating func pause(_ host: String, until moment: SuspendingClock.Instant) {
        guard hosts.circuitOpen(host) == nil else { return }
        hosts.pause(host, until: moment)
        queue.pause(host)
        pauses.insert(Pause(end: moment, host: host))
    }

    private mutating func openCircuit(_ host: String, answering outcome: FetchOutcome) {
        hosts.openCircuit(host, answering: outcome)
        queue.resume(host)
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
