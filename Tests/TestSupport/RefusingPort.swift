internal import Foundation

/// A port on loopback that refuses connections. No other process can listen there, since the port is bound.
package final class RefusingPort: Sendable {
    private let descriptor: Int32

    package init() throws {
        descriptor = try LoopbackSocket.bound()
    }

    deinit {
        close(descriptor)
    }

    package func url(_ path: String = "/photo.jpg") -> String {
        "http://127.0.0.1:\(LoopbackSocket.port(of: descriptor))\(path)"
    }
}
