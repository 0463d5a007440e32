internal import Foundation

/// A port on loopback at which connections are neither made nor refused: its queue is full, and nobody accepts.
package final class UnansweringPort: Sendable {
    package let port: UInt16
    private let listener: Int32
    private let fillers: [Int32]

    package init() throws {
        listener = try LoopbackSocket.listen(backlog: 0)
        port = LoopbackSocket.port(of: listener)
        let port = port
        // The system queues a connection even if the queue's length is 0, and some systems queue a few more.
        fillers = try (0..<8).map { _ in try LoopbackSocket.connect(port: port) }
    }

    deinit {
        for descriptor in fillers + [listener] { close(descriptor) }
    }
}
