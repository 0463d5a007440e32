internal import FlyingFox
internal import Synchronization

/// The messages that wait for one page. A page that does not read, such as one that stands at a breakpoint, is given
/// up, because its messages would fill the memory. It connects again, and renews itself, when it goes on.
final class PageQueue: Sendable {
    /// The largest number of messages that wait for a page.
    static let limit = 4096

    /// The messages, for the one who sends them.
    let messages: AsyncStream<WSMessage>
    private let continuation: AsyncStream<WSMessage>.Continuation
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int = PageQueue.limit) {
        self.limit = limit
        (messages, continuation) = AsyncStream.makeStream()
    }

    /// Adds a message.
    /// - Returns: false if too many wait already. The queue has ended then.
    func add(_ text: String) -> Bool {
        let isFull = count.withLock { count in
            count += 1
            return count > limit
        }
        if isFull {
            continuation.finish()
        } else {
            continuation.yield(.text(text))
        }
        return !isFull
    }

    /// Notes that a message was sent.
    func sent() { count.withLock { $0 -= 1 } }

    func end() { continuation.finish() }
}

/// The frames of a page's messages. FlyingFox takes messages from their stream at once, and then lets their frames wait
/// until the page reads, so that only the frames show how many messages wait.
struct CountedFrames: WSHandler {
    /// Makes the frames, after it was given the queue's messages.
    let frames: MessageFrameWSHandler
    let queue: PageQueue

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let waiting = Waiting(try await frames.makeFrames(for: client))
        return AsyncStream<WSFrame> { [queue] in
            guard let frame = await waiting.next() else { return nil }
            if frame.fin, [.text, .continuation].contains(frame.opcode) { queue.sent() }
            return frame
        }
    }

    /// `@unchecked Sendable`: one task at a time asks for the next frame.
    private final class Waiting: @unchecked Sendable {
        private var iterator: AsyncStream<WSFrame>.Iterator

        init(_ frames: AsyncStream<WSFrame>) { iterator = frames.makeAsyncIterator() }

        func next() async -> WSFrame? { await iterator.next() }
    }
}
