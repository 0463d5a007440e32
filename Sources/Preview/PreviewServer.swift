internal import FlyingFox
internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// The server of a preview, on 127.0.0.1 alone: files over HTTP, and messages over one WebSocket for each page.
package final class PreviewServer: Sendable {
    /// A socket could not be opened.
    package struct Failure: Error {
        package let isPortInUse: Bool
        package let message: String
    }

    private struct Clients {
        var number = 0
        var queues: [Int: PageQueue] = [:]
    }

    /// The secret that a page needs for its socket. It is random for each start.
    private let token: String
    private let clients = Mutex(Clients())
    private let check = Mutex<RequestCheck?>(nil)

    private static let socketPath = "/preview/socket"

    package init(token: String) { self.token = token }

    /// Serves a site until the task is cancelled.
    /// - Parameters:
    ///   - port: the port; 0 for any free one.
    ///   - ready: a closure that is called with the port when connections are accepted.
    /// - Throws: `Failure` if the port can't be used.
    package func run(
        _ site: any PreviewSite, port: UInt16, ready: @escaping @Sendable (UInt16) -> Void
    ) async throws {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: port), pool: UndelayedPool(HTTPServer.defaultPool()),
            logger: .disabled, handler: Handler(server: self, site: site))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask { [self] in
                    try await server.waitUntilListening()
                    guard case .ip4(_, let port) = await server.listeningAddress else { return }
                    check.withLock { $0 = RequestCheck(port: port) }
                    ready(port)
                }
                // The first error ends the wait of the other task.
                while try await group.next() != nil {}
            }
        } catch SocketError.failed(_, let code, let message) {
            throw Failure(isPortInUse: code == EADDRINUSE, message: message)
        }
    }

    /// Sends a message to all pages.
    package func send(_ message: PreviewMessage) {
        let queues = clients.withLock { $0.queues }
        guard !queues.isEmpty else { return }
        let text = message.text
        for (number, queue) in queues where !queue.add(text) { remove(number) }
    }

    // MARK: Requests

    private struct Handler: HTTPHandler {
        let server: PreviewServer
        let site: any PreviewSite

        func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
            if let refusal = server.refusal(of: request) { return server.response(.forbidden, text: refusal) }
            guard let path = RequestTarget.path(request.target.path()) else {
                return server.response(.notFound, text: "This preview has no such address.")
            }
            if path == PreviewServer.socketPath { return try await server.socket(request, site) }
            guard request.method == .GET else {
                return server.response(.methodNotAllowed, text: "This preview answers GET alone.")
            }
            return try server.file(path, of: site)
        }
    }

    private func refusal(of request: HTTPRequest) -> String? {
        guard let check = check.withLock({ $0 }) else { return "This preview is still starting." }
        return check.refusal { request.headers[HTTPHeader($0)] }
    }

    private func file(_ path: String, of site: any PreviewSite) throws -> HTTPResponse {
        let path = path == "/" ? "index.html" : String(path.dropFirst())
        switch site.answer(path) {
        case nil: return response(.notFound, text: "The gallery has no file \(path).")
        case .mistake(let message): return response(.internalServerError, text: message)
        case .bytes(let bytes):
            return HTTPResponse(statusCode: .ok, headers: headers(path, isImmutable: false), body: Data(bytes))
        case .picture(let file):
            let body = try HTTPBodySequence(file: URL(fileURLWithPath: file), suggestedBufferSize: 1 << 18)
            return HTTPResponse(statusCode: .ok, headers: headers(path, isImmutable: true), body: body)
        }
    }

    private func response(_ code: HTTPStatusCode, text: String) -> HTTPResponse {
        HTTPResponse(statusCode: code, headers: headers(".txt", isImmutable: false), body: Data((text + "\n").utf8))
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "json": "application/json", "xml": "application/xml",
        "svg": "image/svg+xml", "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp",
        "txt": "text/plain; charset=utf-8",
    ]

    private func headers(_ path: String, isImmutable: Bool) -> HTTPHeaders {
        let ending = path.split(separator: ".").last.map(String.init) ?? ""
        return [
            .contentType: Self.types[ending] ?? "application/octet-stream",
            HTTPHeader("Cache-Control"): isImmutable ? "max-age=31536000, immutable" : "no-store",
            // No page of another origin may embed or frame what is served here.
            HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
            // No page of another origin that has opened this one keeps a reference to its window.
            HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
            HTTPHeader("Content-Security-Policy"): "frame-ancestors 'none'",
            HTTPHeader("X-Content-Type-Options"): "nosniff",
            HTTPHeader("Referrer-Policy"): "same-origin",
        ]
    }

    // MARK: Sockets

    private func socket(_ request: HTTPRequest, _ site: any PreviewSite) async throws -> HTTPResponse {
        guard request.query.first(where: { $0.name == "token" })?.value == token else {
            return response(.forbidden, text: "The token is that of another preview. Reload the page.")
        }
        let queue = PageQueue()
        let photos = request.query.first { $0.name == "photos" }.flatMap { Int($0.value) }
        let socket = Socket(server: self, site: site, queue: queue, photos: photos)
        let frames = CountedFrames(frames: MessageFrameWSHandler(handler: socket, frameSize: 1 << 20), queue: queue)
        return try await WebSocketHTTPHandler(handler: frames).handleRequest(request)
    }

    private struct Socket: WSMessageHandler {
        let server: PreviewServer
        let site: any PreviewSite
        let queue: PageQueue
        /// The number of changes of photos that the page has.
        let photos: Int?

        func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> {
            let number = server.add(queue)
            // The page is among the clients before it is told the state, so that no change in between is missed.
            for message in site.hello(photos: photos) { _ = queue.add(message.text) }
            Task {
                for await case .text(let text) in client {
                    if let message = PageMessage(text) { site.received(message, from: number) }
                }
                server.remove(number)
                site.disconnected(number)
            }
            return queue.messages
        }
    }

    private func add(_ queue: PageQueue) -> Int {
        clients.withLock { clients in
            clients.number += 1
            clients.queues[clients.number] = queue
            return clients.number
        }
    }

    private func remove(_ number: Int) { clients.withLock { $0.queues.removeValue(forKey: number) }?.end() }
}

/// A pool whose sockets send small packets at once (TCP_NODELAY). An answer is written in two parts, and without the
/// option the second waits up to 40 ms for the acknowledgement of the first.
private struct UndelayedPool<Pool: AsyncSocketPool>: AsyncSocketPool {
    private let pool: Pool

    init(_ pool: Pool) { self.pool = pool }

    func prepare() async throws { try await pool.prepare() }

    func run() async throws { try await pool.run() }

    func suspendSocket(_ socket: FlyingSocks.Socket, untilReadyFor events: FlyingSocks.Socket.Events) async throws {
        if events.contains(.read) {
            var isOn: Int32 = 1
            // The first wait of a connection is for its request. If the option can't be set, answers are slower.
            _ = setsockopt(
                socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}
