internal import FlyingFox
internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// Accepts the connections of browsers on 127.0.0.1 and passes their bytes on to FlyingFox, which listens on a Unix
/// domain socket. FlyingFox alone would not be safe against other programs and pages:
/// - It has no limit on a line of a request, and its time for a line grows with the square of the length.
/// - It ends if one connection can't be accepted.
/// - Its listening socket would be inherited by the browser that `--open` starts, which would keep the port in use.
final class ConnectionRelay: Sendable {
    /// The port on which connections are accepted.
    let port: UInt16
    private let listening: FlyingSocks.Socket
    private let pool: any AsyncSocketPool = HTTPServer.defaultPool()
    /// The number of open connections.
    private let open = Atomic(0)

    /// The largest number of open connections. Others wait, so that connections can't use up the descriptors of this
    /// process: each needs three of them. A browser keeps about six connections, and one more for each open page.
    private static let limit = 64
    /// The time after which a connection is accepted that could not be accepted before.
    private static let pause = Duration.milliseconds(100)
    /// The errors of accept(2) that end by themselves.
    private static let temporary: Set<Int32> = [ECONNABORTED, EINTR, EMFILE, ENFILE, ENOBUFS, ENOMEM, EPROTO]

    /// Opens the port.
    /// - Parameter port: the port; 0 for any free one.
    /// - Throws: `SocketError` if the port can't be used.
    init(port: UInt16) throws {
        let socket = try FlyingSocks.Socket(domain: AF_INET)
        socket.closeInChildren()
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
        } catch {
            try? socket.close()
            throw error
        }
        // A failure closes the socket.
        try socket.listen()
        guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.unsupportedAddress }
        listening = socket
        self.port = port
    }

    deinit {
        // Nothing waits for the socket any more, so a failure has no consequences.
        try? listening.close()
    }

    /// Opens what `run` needs.
    func prepare() async throws { try await pool.prepare() }

    /// Relays connections until the task is cancelled.
    /// - Parameter address: the socket on which FlyingFox listens.
    func run(to address: sockaddr_un) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [pool] in try await pool.run() }
            group.addTask { [self] in try await acceptConnections(to: address) }
            while try await group.next() != nil {}
        }
    }

    private func acceptConnections(to address: sockaddr_un) async throws {
        let listening = try AsyncSocket(socket: listening, pool: pool)
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                while open.load(ordering: .relaxed) >= Self.limit { try await Task.sleep(for: Self.pause) }
                do {
                    let client = try await listening.accept()
                    open.add(1, ordering: .relaxed)
                    group.addTask { [self] in
                        await relay(client, to: address)
                        open.subtract(1, ordering: .relaxed)
                    }
                } catch SocketError.failed(_, let code, _) where Self.temporary.contains(code) {
                    try await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    private func relay(_ client: AsyncSocket, to address: sockaddr_un) async {
        defer { try? client.close() }
        client.socket.closeInChildren()
        client.socket.sendAtOnce()
        do {
            let socket = try FlyingSocks.Socket(domain: AF_UNIX)
            defer { try? socket.close() }
            socket.closeInChildren()
            let server = try AsyncSocket(socket: socket, pool: pool)
            try await server.connect(to: address)
            let connection = RelayedConnection(client: client, server: server, pool: pool)
            // Both sockets stay open until nothing waits for them: the pool would take a new socket with the same
            // descriptor for the closed one.
            await withDiscardingTaskGroup { group in
                group.addTask { await connection.passRequests() }
                group.addTask { await connection.passAnswers() }
            }
        } catch {
            // The client sees that its connection is closed, and tries again.
        }
    }
}

/// A connection of a browser, together with the one to FlyingFox.
private final class RelayedConnection: Sendable {
    private let client: AsyncSocket
    private let server: AsyncSocket
    private let pool: any AsyncSocketPool
    /// Whether the connection has become a WebSocket, whose messages have no heads.
    private let isUpgraded = Atomic(false)

    private static let upgrade = Array("HTTP/1.1 101 ".utf8)

    init(client: AsyncSocket, server: AsyncSocket, pool: any AsyncSocketPool) {
        self.client = client
        self.server = server
        self.pool = pool
    }

    /// Passes on what the client sends, until a head is too long or the connection ends.
    func passRequests() async {
        var limit = HeadLimit()
        do {
            while true {
                let bytes = try await read(client)
                guard isUpgraded.load(ordering: .relaxed) || limit.allows(bytes) else { break }
                try await server.write(Data(bytes))
            }
        } catch SocketError.disconnected {
            // The client may still wait for the answer to its last request.
            shutdown(server.socket.file.rawValue, Int32(SHUT_WR))
            return
        } catch {
            // The connection is lost, or the preview ends.
        }
        end()
    }

    /// Passes on what FlyingFox answers, until the connection ends.
    func passAnswers() async {
        do {
            while true {
                let bytes = try await read(server)
                // FlyingFox writes the head of an answer with one call.
                if bytes.starts(with: Self.upgrade) { isUpgraded.store(true, ordering: .relaxed) }
                try await client.write(Data(bytes))
            }
        } catch {
            // FlyingFox has closed the connection, the connection is lost, or the preview ends.
        }
        end()
    }

    /// Ends both directions. The other task does not wait for its socket any longer then.
    private func end() {
        for socket in [client, server] { shutdown(socket.socket.file.rawValue, Int32(SHUT_RDWR)) }
    }

    /// `AsyncSocket.read` returns at most 4 KB at a time, which would be slow for pictures.
    private func read(_ socket: AsyncSocket) async throws -> [UInt8] {
        while true {
            do {
                return try socket.socket.read(atMost: 1 << 16)
            } catch SocketError.blocked {
                try await pool.suspendSocket(socket.socket, untilReadyFor: .read)
            }
        }
    }
}

extension FlyingSocks.Socket {
    /// Keeps child processes, such as the browser, from inheriting the socket (FD_CLOEXEC). The call fails only for
    /// descriptors that are not open.
    func closeInChildren() { _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC) }

    /// Lets the socket send small packets at once (TCP_NODELAY). An answer is written in two parts, and without the
    /// option the second waits up to 40 ms for the acknowledgement of the first.
    fileprivate func sendAtOnce() {
        var isOn: Int32 = 1
        // If the option can't be set, answers are slower.
        _ = setsockopt(file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
}
