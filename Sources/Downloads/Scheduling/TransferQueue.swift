/// What waits for its turn. Requests start in the order in which they came, except that those of a host that is at its
/// limit, or held, let others pass. Each step costs the logarithm of the number of hosts.
struct TransferQueue<Request> {
    /// A class, so that a turn leads to it without a search for its name.
    private final class Host {
        let name: String
        var waiting = FIFO<(number: UInt64, request: Request)>()
        var running = 0
        /// How many may run.
        var limit: Int
        /// It stands in `ready`, once.
        var isReady = false

        init(name: String, limit: Int) {
            self.name = name
            self.limit = limit
        }
    }

    /// A host that may start a request, ordered by the age of its oldest one.
    private struct Turn: Comparable {
        let number: UInt64
        let host: Host

        static func < (left: Turn, right: Turn) -> Bool { left.number < right.number }
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

    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        self.perHost = max(1, perHost)
    }

    mutating func append(_ request: Request, to name: String) {
        let host = hosts[name] ?? Host(name: name, limit: limits[name] ?? perHost)
        if host.running == 0, host.waiting.isEmpty { hosts[name] = host }
        host.waiting.append((nextNumber, request))
        nextNumber += 1
        makeReady(host)
    }

    /// - Returns: the request that is to start now, which counts as running until `finished(at:)`; nil if none may.
    mutating func next() -> Request? {
        while running < total, let host = ready.popMin()?.host {
            host.isReady = false
            guard host.running < host.limit, !held.contains(host.name), let entry = host.waiting.popFirst() else {
                continue
            }
            host.running += 1
            running += 1
            makeReady(host)
            return entry.request
        }
        return nil
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
    mutating func hold(_ name: String) { held.insert(name) }

    mutating func release(_ name: String) {
        guard held.remove(name) != nil, let host = hosts[name] else { return }
        makeReady(host)
    }

    mutating func finished(at name: String) {
        running -= 1
        guard let host = hosts[name] else { return }
        host.running -= 1
        makeReady(host)
        if host.running == 0, host.waiting.isEmpty { hosts[name] = nil }
    }

    private mutating func makeReady(_ host: Host) {
        guard !host.isReady, host.running < host.limit, !held.contains(host.name), let first = host.waiting.first else {
            return
        }
        host.isReady = true
        ready.insert(Turn(number: first.number, host: host))
    }
}
