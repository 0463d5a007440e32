internal import Foundation

/// A server on a loopback port of its own that runs a script for every connection. The script may serve it, or
/// misbehave in any way that bytes allow.
package final class ScriptedServer: Sendable {
    /// The requests that the server has received.
    package struct Log: Sendable {
        package var connections = 0
        package var openConnections = 0
        package var requests: [ScriptedRequest] = []
        /// The number of requests that were read and not yet answered, and its maximum so far.
        package var pending = 0
        package var mostPending = 0
    }

    package let port: UInt16
    package let log = Observed(Log())
    private let listener: Int32
    private let open = Observed<Set<Int32>>([])
    private let isAccepting = Observed(true)

    /// - Parameter script: runs on a thread of its own for each connection, which is closed when it returns or throws.
    package init(script: @escaping @Sendable (ScriptedConnection) throws -> Void) throws {
        listener = try LoopbackSocket.listen(backlog: 128)
        port = LoopbackSocket.port(of: listener)
        let (listener, log, open, isAccepting) = (listener, log, open, isAccepting)
        Thread {
            defer {
                close(listener)
                isAccepting.update { $0 = false }
            }
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                open.update { _ = $0.insert(descriptor) }
                log.update {
                    $0.connections += 1
                    $0.openConnections += 1
                }
                Thread {
                    // Many scripts end with an error when their client closes the connection, so errors are ignored.
                    try? script(ScriptedConnection(descriptor: descriptor, log: log))
                    open.update { open in
                        _ = open.remove(descriptor)
                        close(descriptor)
                    }
                    log.update { $0.openConnections -= 1 }
                }.start()
            }
        }.start()
    }

    /// A server that answers every request, and keeps its connections open as HTTP/1.1 does.
    package convenience init(answer: @escaping @Sendable (ScriptedRequest) -> ScriptedResponse) throws {
        try self.init { connection in
            while let request = try connection.readRequest() { try connection.send(answer(request)) }
        }
    }

    package func url(_ path: String = "/photo.jpg", scheme: String = "http", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port)\(path)"
    }

    /// The targets of the requests so far: "/photo.jpg?size=1".
    package var targets: [String] { log.value.requests.map(\.target) }

    /// Stops listening and ends all connections. Returns when all scripts have ended.
    package func stop() async {
        shutdown(listener, Int32(SHUT_RDWR))
        await isAccepting.wait { !$0 }
        endConnections()
        await log.wait { $0.openConnections == 0 }
    }

    private func endConnections() {
        open.update { for descriptor in $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    deinit {
        if isAccepting.value { shutdown(listener, Int32(SHUT_RDWR)) }
        endConnections()
    }
}
