import Foundation
import Synchronization

/// A server on port 80 of every loopback address. It answers each request with the next of its answers, byte by byte
/// as they are, and closes.
final class AnsweringServer: Sendable {
    /// What it was asked, and where.
    struct Request {
        /// From the request line to the last field.
        let lines: [String]
        /// Its own end of the connection.
        let address: String
        /// Of the answer; nil where there was none left.
        let answer: Int?
    }

    private struct Script {
        var answers: [[UInt8]] = []
        /// Whether a connection may bring several requests.
        var isPatient = false
        var requests: [Request] = []
    }

    private let script = Mutex(Script())
    private let listener: Int32
    /// Longer than a client takes to send its next request; it ends what a broken answer leaves open.
    private static let patience: Int32 = 20

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

    func answer(with answers: [[UInt8]], patiently isPatient: Bool) {
        script.withLock { $0 = Script(answers: answers, isPatient: isPatient) }
    }

    /// Since it was told what to answer.
    var requests: [Request] { script.withLock { $0.requests } }

    private func serve() {
        // libFuzzer's alarm interrupts whoever waits.
        let connection = Self.uninterrupted { accept(listener, nil, nil) }
        guard connection >= 0 else { fatalError("accept: \(String(cString: strerror(errno)))") }
        defer { close(connection) }
        var received: [UInt8] = []
        while let lines = readRequest(from: connection, &received) {
            let (answer, isPatient) = script.withLock { script in
                let place = script.requests.count
                let hasAnswer = place < script.answers.count
                script.requests.append(
                    Request(lines: lines, address: Self.address(of: connection), answer: hasAnswer ? place : nil))
                return (hasAnswer ? script.answers[place] : [], script.isPatient)
            }
            guard Self.send(answer, to: connection), isPatient, !answer.isEmpty, hasMore(connection) else { return }
        }
    }

    /// - Returns: nil where the client has closed.
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

    /// Whether something comes on this connection before anybody else wants one.
    private func hasMore(_ connection: Int32) -> Bool {
        var waiting = [
            pollfd(fd: connection, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        ]
        return Self.uninterrupted { poll(&waiting, 2, Self.patience) } > 0 && waiting[0].revents != 0
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
        return code == 0 ? String(cString: inet_ntoa(address.sin_addr)) : "gone"
    }
}
