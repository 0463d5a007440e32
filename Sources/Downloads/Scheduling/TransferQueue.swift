internal import DequeModule
internal import HeapModule

/// A request that waits in a queue.
protocol QueuedRequest {
    /// Whether a body is expected. Conditional requests have limits of their own.
    var isDownload: Bool { get }
    /// Whether an attempt at the request has failed.
    var hasFailed: Bool { get }
}

/// The queue of requests, first come, first served. A host that is paused or has reached its limit is passed over.
///
/// Requests that follow a redirect go before all that have not begun, because the target can be slow, and valid for a
/// short time only. For the same reason, if as many of a host's requests wait at redirect targets as may run over all
/// hosts, that host begins no more, and other hosts do. Each operation takes time that is logarithmic in the number of
/// hosts.
struct TransferQueue<Request: QueuedRequest> {
    /// The most downloads, and the most requests of either kind, that may run at one host at the same time. `requests`
    /// is at least `downloads`.
    struct Limits {
        var downloads: Int
        var requests: Int
    }

    /// A class, so that an entry of `ready` leads to its host without a look-up by name.
    private final class Host {
        let name: String
        var waiting = Deque<(number: Int64, request: Request)>()
        /// The requests that a redirect led here, with the hosts of their addresses before the first redirect.
        var redirected = Deque<(number: Int64, request: Request, origin: Host)>()
        /// The number of this host's requests that wait at redirect targets, here or on other hosts.
        var parked = 0
        var running = 0
        /// The number of running requests that are downloads.
        var downloads = 0
        var limits: Limits
        /// The number of the host's valid entry in `ready`; nil if there is none. Its other entries in `ready` are
        /// void.
        var readyNumber: Int64?

        init(name: String, limits: Limits) {
            self.name = name
            self.limits = limits
        }

        var isIdle: Bool { running == 0 && parked == 0 && waiting.isEmpty && redirected.isEmpty }

        /// - Parameter parkedLimit: the number of parked requests at which the host begins no other.
        /// - Returns: the number of the request that would be taken now, and its kind; nil if there is none.
        func first(parkedLimit: Int) -> (number: Int64, isDownload: Bool)? {
            if !redirected.isEmpty { return (redirected[0].number, redirected[0].request.isDownload) }
            guard parked < parkedLimit, !waiting.isEmpty else { return nil }
            return (waiting[0].number, waiting[0].request.isDownload)
        }

        func hasRoom(forDownload isDownload: Bool) -> Bool {
            running < limits.requests && (!isDownload || downloads < limits.downloads)
        }
    }

    /// A host that may start a request. Hosts with redirected requests come first, then those with the oldest request.
    private struct ReadyHost: Comparable {
        let isRedirected: Bool
        let number: Int64
        let host: Host

        static func < (left: ReadyHost, right: ReadyHost) -> Bool {
            left.isRedirected == right.isRedirected ? left.number < right.number : left.isRedirected
        }
        static func == (left: ReadyHost, right: ReadyHost) -> Bool { left.number == right.number }
    }

    private let total: Int
    /// The most requests of either kind over all hosts; at least `total`.
    private var requests: Int
    private let perHost: Int
    private var hosts: [String: Host] = [:]
    private var paused: Set<String> = []
    /// The limits that were set for single hosts. Both limits of every other host are `perHost`.
    private var limits: [String: Limits] = [:]
    private var ready = Heap<ReadyHost>()
    private var running = 0
    private var downloads = 0
    private var nextNumber: Int64 = 0
    /// The number of the next request that is put back. Such numbers are negative, so that these requests go first.
    private var nextPutBack = Int64.min

    /// - Parameters:
    ///   - total: the most downloads over all hosts, and at first the most requests of either kind.
    ///   - perHost: the same for one host.
    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        requests = self.total
        self.perHost = max(1, perHost)
    }

    mutating func append(_ request: Request, to name: String) {
        let host = host(name)
        host.waiting.append((nextNumber, request))
        nextNumber += 1
        makeReady(host)
    }

    /// Adds a request that a redirect has led to another address.
    ///
    /// - Parameters:
    ///   - name: the host that the redirect leads to.
    ///   - origin: the host of the address before the first redirect.
    mutating func append(_ request: Request, to name: String, redirectedFrom origin: String) {
        let (host, origin) = (host(name), host(origin))
        host.redirected.append((nextNumber, request, origin))
        origin.parked += 1
        nextNumber += 1
        makeReady(host)
    }

    private mutating func host(_ name: String) -> Host {
        if let host = hosts[name] { return host }
        let host = Host(name: name, limits: limits[name] ?? Limits(downloads: perHost, requests: perHost))
        hosts[name] = host
        return host
    }

    /// - Returns: the request that is to start now, which counts as running until `finished(at:isDownload:)`; nil if
    ///   none may start.
    mutating func next() -> Request? {
        while running < requests, let candidate = ready.min {
            let host = candidate.host
            let isValid = host.readyNumber == candidate.number && !paused.contains(host.name)
            let first = isValid ? host.first(parkedLimit: total) : nil
            if let first, first.isDownload, downloads >= total { return nil }
            _ = ready.popMin()
            if host.readyNumber == candidate.number { host.readyNumber = nil }
            if first != nil, let request = takeFirst(of: host) { return request }
        }
        return nil
    }

    /// - Returns: the request, which counts as running from now on; nil if the host may not start one.
    private mutating func takeFirst(of host: Host) -> Request? {
        guard let first = host.first(parkedLimit: total), host.hasRoom(forDownload: first.isDownload) else {
            return nil
        }
        let redirected = host.redirected.popFirst()
        guard let request = redirected?.request ?? host.waiting.popFirst()?.request else { return nil }
        host.running += 1
        running += 1
        if first.isDownload { addDownload(at: host) }
        makeReady(host)
        if let origin = redirected?.origin {
            origin.parked -= 1
            makeReady(origin)
            removeIfIdle(origin)
        }
        return request
    }

    /// Swaps the first request of this host's queue with another one that has not failed yet, if there is one.
    ///
    /// - Parameter share: the position of the other request among those that have not failed, or among all if there is
    ///   none, as a share of their number; from 0 to below 1.
    mutating func promote(_ share: Double, at name: String) {
        guard let host = hosts[name], !host.waiting.isEmpty else { return }
        let untried = host.waiting.indices.filter { !host.waiting[$0].request.hasFailed }
        let position = Int(Double(untried.isEmpty ? host.waiting.count : untried.count) * share)
        let index = untried.isEmpty ? position : untried[position]
        let first = host.waiting[0].request
        host.waiting[0].request = host.waiting[index].request
        host.waiting[index].request = first
    }

    /// Changes the limit on requests over all hosts. The limit on downloads stays.
    mutating func limit(requests: Int) { self.requests = max(total, requests) }

    /// Changes the limits of a host.
    mutating func limit(_ name: String, to limit: Limits) {
        limits[name] = limit
        guard let host = hosts[name] else { return }
        host.limits = limit
        makeReady(host)
    }

    private mutating func addDownload(at host: Host) {
        host.downloads += 1
        downloads += 1
    }

    /// Turns a running conditional request into a download.
    ///
    /// - Returns: false if as many downloads as allowed are running, over all hosts or at this one.
    mutating func beginDownload(at name: String) -> Bool {
        guard downloads < total, let host = hosts[name], host.downloads < host.limits.downloads else { return false }
        addDownload(at: host)
        return true
    }

    /// Adds a request that has begun before. It goes before all waiting requests except those at redirect targets and
    /// those that were put back earlier.
    mutating func putBack(_ request: Request, to name: String) {
        let host = host(name)
        let index = host.waiting.firstIndex { $0.number >= 0 } ?? host.waiting.endIndex
        host.waiting.insert((nextPutBack, request), at: index)
        nextPutBack += 1
        makeReady(host)
    }

    /// Starts no request at this host until it is resumed.
    mutating func pause(_ name: String) { paused.insert(name) }

    mutating func resume(_ name: String) {
        guard paused.remove(name) != nil, let host = hosts[name] else { return }
        makeReady(host)
    }

    mutating func finished(at name: String, isDownload: Bool) {
        running -= 1
        if isDownload { downloads -= 1 }
        guard let host = hosts[name] else { return }
        host.running -= 1
        if isDownload { host.downloads -= 1 }
        makeReady(host)
        removeIfIdle(host)
    }

    private mutating func removeIfIdle(_ host: Host) {
        if host.isIdle { hosts[host.name] = nil }
    }

    private mutating func makeReady(_ host: Host) {
        guard !paused.contains(host.name), let first = host.first(parkedLimit: total),
            host.hasRoom(forDownload: first.isDownload), host.readyNumber != first.number
        else { return }
        host.readyNumber = first.number
        ready.insert(ReadyHost(isRedirected: !host.redirected.isEmpty, number: first.number, host: host))
    }
}
