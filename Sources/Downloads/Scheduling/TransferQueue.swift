/// What waits for its turn. Requests start in the order in which they came, except that those of a host that is at its
/// limit, or held, let others pass. Those that a redirect led on go before all that have not begun; while so many of them
/// wait as may run at once, no other begins, so that they are not kept waiting for long. Each step costs the logarithm of the
/// number of hosts.
struct TransferQueue<Request> {
    /// A class, so that a turn leads to it without a search for its name.
    private final class Host {
        let name: String
        var waiting = FIFO<(number: UInt64, request: Request)>()
        /// Those that a redirect led here.
        var continued = FIFO<(number: UInt64, request: Request)>()
        var running = 0
        /// How many may run.
        var limit: Int
        /// The number of the turn by which it stands in `ready`; nil if it does not. Other turns of it there are void.
        var turn: UInt64?

        init(name: String, limit: Int) {
            self.name = name
            self.limit = limit
        }

        var isIdle: Bool { running == 0 && waiting.isEmpty && continued.isEmpty }
    }

    /// A host that may start a request, ordered by the age of its oldest one.
    private struct Turn: Comparable {
        let isContinued: Bool
        let number: UInt64
        let host: Host

        static func < (left: Turn, right: Turn) -> Bool {
            left.isContinued == right.isContinued ? left.number < right.number : left.isContinued
        }
        static func == (left: Turn, right: Turn) -> Bool { left.number == right.number }
    }

    private let total: Int
    private let perHost: Int
    private var hosts: [String: Host] = [:]
    private var held: Set<String> = []
    /// Of hosts that have another limit than the others.
    private var limits: [String: Int] = [:]
    private var ready = MinHeap<Turn>()
    private var running = 0
    private var nextNumber: UInt64 = 0
    /// How many wait that a redirect led on, but for those of hosts that are held.
    private var continuedWaiting = 0

    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        self.perHost = max(1, perHost)
    }

    /// - Parameter isContinued: a redirect led it to this host.
    mutating func append(_ request: Request, to name: String, isContinued: Bool = false) {
        let host = hosts[name] ?? Host(name: name, limit: limits[name] ?? perHost)
        if host.isIdle { hosts[name] = host }
        if isContinued {
            host.continued.append((nextNumber, request))
            if !held.contains(name) { continuedWaiting += 1 }
        } else {
            host.waiting.append((nextNumber, request))
        }
        nextNumber += 1
        makeReady(host)
    }

    /// - Returns: the request that is to start now, which counts as running until `finished(at:)`; nil if none may.
    mutating func next() -> Request? {
        while running < total, let turn = ready.min {
            let host = turn.host
            guard host.turn == turn.number else {
                _ = ready.popMin()
                continue
            }
            // None that was led on may start, or it would be the first.
            if continuedWaiting >= total, host.continued.isEmpty { return nil }
            _ = ready.popMin()
            host.turn = nil
            guard host.running < host.limit, !held.contains(host.name), let request = takeFirst(of: host) else {
                continue
            }
            host.running += 1
            running += 1
            makeReady(host)
            return request
        }
        return nil
    }

    private mutating func takeFirst(of host: Host) -> Request? {
        guard let entry = host.continued.popFirst() else { return host.waiting.popFirst()?.request }
        continuedWaiting -= 1
        return entry.request
    }

    /// Lets the request that stands at a share of this host's queue, from 0 to below 1, change places with the first.
    mutating func bringForward(_ share: Double, at name: String) {
        guard let host = hosts[name] else { return }
        host.waiting.exchangeFirst(withOneAt: Int(Double(host.waiting.count) * share), \.request)
    }

    /// - Parameter limit: how many requests to this host may run at once from now on; nil for as many as to any other.
    mutating func limit(_ name: String, to limit: Int?) {
        limits[name] = limit
        guard let host = hosts[name] else { return }
        host.limit = limit ?? perHost
        makeReady(host)
    }

    /// Nothing of this host starts until it is released.
    mutating func hold(_ name: String) {
        guard held.insert(name).inserted else { return }
        continuedWaiting -= hosts[name]?.continued.count ?? 0
    }

    mutating func release(_ name: String) {
        guard held.remove(name) != nil, let host = hosts[name] else { return }
        continuedWaiting += host.continued.count
        makeReady(host)
    }

    mutating func finished(at name: String) {
        running -= 1
        guard let host = hosts[name] else { return }
        host.running -= 1
        makeReady(host)
        if host.isIdle { hosts[name] = nil }
    }

    private mutating func makeReady(_ host: Host) {
        guard host.running < host.limit, !held.contains(host.name),
            let first = host.continued.first ?? host.waiting.first, host.turn != first.number
        else { return }
        host.turn = first.number
        ready.insert(Turn(isContinued: !host.continued.isEmpty, number: first.number, host: host))
    }
}
