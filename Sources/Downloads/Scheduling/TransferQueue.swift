/// What waits for its turn. Requests start in the order in which they came, except that those of a host that is at its
/// limit let others pass. Each step costs the logarithm of the number of hosts.
struct TransferQueue<Request> {
    private struct Host {
        var waiting = FIFO<(number: UInt64, request: Request)>()
        var running = 0
        /// It stands in `ready`, once.
        var isReady = false
    }

    /// A host that may start a request, ordered by the age of its oldest one.
    private struct Turn: Comparable {
        let number: UInt64
        let host: String

        static func < (left: Turn, right: Turn) -> Bool { left.number < right.number }
    }

    private let total: Int
    private let perHost: Int
    private var hosts: [String: Host] = [:]
    private var ready = MinHeap<Turn>()
    private var running = 0
    private var nextNumber: UInt64 = 0

    init(total: Int, perHost: Int) {
        self.total = max(1, total)
        self.perHost = max(1, perHost)
    }

    mutating func append(_ request: Request, to host: String) {
        hosts[host, default: Host()].waiting.append((nextNumber, request))
        nextNumber += 1
        makeReady(host)
    }

    /// - Returns: the request that is to start now, which counts as running until `finished(at:)`; nil if none may.
    mutating func next() -> Request? {
        guard running < total, let turn = ready.popMin() else { return nil }
        hosts[turn.host]?.isReady = false
        guard let entry = hosts[turn.host]?.waiting.popFirst() else { return nil }
        hosts[turn.host]?.running += 1
        running += 1
        makeReady(turn.host)
        return entry.request
    }

    mutating func finished(at host: String) {
        running -= 1
        hosts[host]?.running -= 1
        makeReady(host)
        if let state = hosts[host], state.running == 0, state.waiting.isEmpty { hosts[host] = nil }
    }

    /// Forgets what waits; what runs still counts.
    mutating func removeAll() {
        ready = MinHeap()
        hosts = hosts.filter { $0.value.running > 0 }
        for host in hosts.keys {
            hosts[host]?.waiting = FIFO()
            hosts[host]?.isReady = false
        }
    }

    private mutating func makeReady(_ host: String) {
        guard let state = hosts[host], !state.isReady, state.running < perHost, let first = state.waiting.first else {
            return
        }
        hosts[host]?.isReady = true
        ready.insert(Turn(number: first.number, host: host))
    }
}
