internal import Foundation
internal import Synchronization

/// A thread that others can join, unlike Foundation's.
package final class JoinableThread: Sendable {
    /// The name and the closure, which the new thread takes over.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            // A server that closes its connection must not end the program by SIGPIPE: TLS libraries write to sockets
            // without MSG_NOSIGNAL.
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            Thread.current.name = name
            body()
        }
    }

    /// The thread; nil once it has been joined.
    private let thread: Mutex<pthread_t?>

    /// - Parameter name: the name of the thread in debuggers and in /proc, at most 15 bytes.
    /// - Throws: `DownloadsError.thread` if the system refuses to start it.
    package init(name: String, body: @escaping @Sendable () -> Void) throws(DownloadsError) {
        thread = Mutex(try Self.begin(Start(name: name, body: body)))
    }

    private static func begin(_ start: Start) throws(DownloadsError) -> pthread_t? {
        let retained = Unmanaged.passRetained(start)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = pthread_create(
            &thread, nil,
            { context in
                // The type of `context` is optional on some systems only.
                let context: UnsafeMutableRawPointer? = context
                // The retain is taken over here, so that the objects that the closure holds are released when the
                // thread ends.
                if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        guard code == 0 else {
            retained.release()
            throw .thread(errno: code)
        }
        return thread
    }

    /// The processor time that the calling thread has used.
    static var cpuTime: Duration {
        var time = timespec()
        // `clock_gettime` fails only for an unknown clock.
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Waits until the thread has ended. Several threads may wait, but never the thread itself.
    package func join() {
        thread.withLock { thread in
            if let running = thread { pthread_join(running, nil) }
            thread = nil
        }
    }
}
