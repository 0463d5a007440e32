import Foundation
import Synchronization

/// A server on port 80 of every loopback address. It sends the next of its answers for each request, without changing a
/// byte, and closes the connection.
final class AnsweringServer: Sendable {
    /// A request that the server has received.
    struct Request {
        /// The request line and the header fields.
        let lines: [String]
        /// The address of the server's end of the connection.
        let address: String
        /// The index of the answer; nil if no answer was left.
        let answer: Int?
    }

    private struct Script {
        var answers: [[UInt8]] = []
        /// Whether a connection stays open for further requests.
        var keepsAlive = false
        var requests: [Request] = []
    }

    private let script = Mutex(Script())
    private let listener: Int32
    /// The milliseconds for which a connection stays open without a request. A client sends its next request sooner,
    /// unless it waits for the rest of a broken answer.
    private static let idleTimeout: Int32 = 20

    init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(80).bigEndian
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0, listen(listener, 64) == 0 else { fatalError("port 80: \(String(cString: strerror(errno)))") }
        Thread.detachNewThread { [self] in
            while true { serve() }
        }
    }

    func answer(with answers: [[UInt8]], keepAlive: Bool) {
        script.withLock { $0 = Script(answers: answers, keepsAlive: keepAlive) }
    }

    /// The requests since the last call of `answer`.
    var requests: [Request] { script.withLock { $0.requests } }

    private func serve() {
        // The timer signal of libFuzzer interrupts system calls.
        let connection = Self.uninterrupted { accept(listener, nil, nil) }
        guard connection >= 0 else { fatalError("accept: \(String(cString: strerror(errno)))") }
        defer { close(connection) }
        var received: [UInt8] = []
        while let lines = readRequest(from: connection, &received) {
            let (answer, keepsAlive) = script.withLock { script in
                let place = script.requests.count
                let hasAnswer = place < script.answers.count
                script.requests.append(
                    Request(lines: lines, address: Self.address(of: connection), answer: hasAnswer ? place : nil))
                return (hasAnswer ? script.answers[place] : [], script.keepsAlive)
            }
            guard Self.send(answer, to: connection), keepsAlive, !answer.isEmpty, hasMore(connection) else { return }
        }
    }

    /// - Returns: nil if the client has closed the connection.
    private func readRequest(from connection: Int32, _ received: inout [UInt8]) -> [String]? {
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                received = Array(text[end.upperBound...].utf8)
                return text[..<end.lowerBound].components(separatedBy: "\r\n")
            }
            let count = Self.uninterrupted { recv(connection, &piece, piece.count, 0) }
            guard count > 0 else { return nil }
            received += piece[..<count]
        }
    }

    /// Whether a request arrives on this connection before the timeout and before the next connection.
    private func hasMore(_ connection: Int32) -> Bool {
        var waiting = [
            pollfd(fd: connection, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        return Self.uninterrupted { poll(&waiting, 2, Self.idleTimeout) } > 0 && waiting[0].revents != 0
    }

    private static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                uninterrupted { Foundation.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func address(of connection: Int32) -> String {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(connection, $0, &length) }
        }
        return code == 0 ? String(cString: inet_ntoa(address.sin_addr)) : "closed"
    }
}
