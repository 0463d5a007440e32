internal import Foundation

/// A connection to a scripted server, as its script sees it.
package final class ScriptedConnection {
    /// The client has closed the connection.
    package struct Closed: Error {}

    private let descriptor: Int32
    private let log: Observed<ScriptedServer.Log>
    private var received: [UInt8] = []
    private var hasPending = false

    init(descriptor: Int32, log: Observed<ScriptedServer.Log>) {
        self.descriptor = descriptor
        self.log = log
    }

    /// - Returns: nil when the client has closed the connection.
    package func readRequest() throws -> ScriptedRequest? {
        answered()
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = received.firstRange(of: end) {
                let request = ScriptedRequest(head: Array(received[..<(range.lowerBound + 2)]))
                received.removeSubrange(..<range.upperBound)
                log.update {
                    $0.requests.append(request)
                    $0.pending += 1
                    $0.mostPending = max($0.mostPending, $0.pending)
                }
                hasPending = true
                return request
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            received += piece[..<count]
        }
    }

    /// Reads the body of the request that was read last, as far as it arrives.
    package func readBody(of request: ScriptedRequest) -> [UInt8] {
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while received.count < length {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            received += piece[..<count]
        }
        defer { received.removeFirst(min(length, received.count)) }
        return Array(received.prefix(length))
    }

    package func send(_ response: ScriptedResponse) throws {
        answered()
        try send(response.bytes)
    }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Darwin)
                let flags: Int32 = 0
            #else
                let flags = Int32(MSG_NOSIGNAL)
            #endif
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { throw Closed() }
            rest = rest.dropFirst(count)
        }
    }

    /// Stays silent until the client closes the connection.
    package func waitForClose() {
        var piece = [UInt8](repeating: 0, count: 4096)
        while recv(descriptor, &piece, piece.count, 0) > 0 {}
    }

    /// Waits, to set the pace of a slow server, unless the client closes the connection or sends something.
    package func pause(_ duration: Duration) throws {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = duration / .milliseconds(1)
        if poll(&event, 1, Int32(milliseconds)) > 0 { throw Closed() }
    }

    /// Ends the connection with a reset, as a crashed machine or a firewall does.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    private func answered() {
        if hasPending { log.update { $0.pending -= 1 } }
        hasPending = false
    }

    deinit { answered() }
}
