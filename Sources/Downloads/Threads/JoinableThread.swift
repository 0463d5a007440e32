internal import Foundation
internal import Synchronization

/// A thread whose end can be waited for, which Foundation's cannot.
final class JoinableThread: Sendable {
    /// The closure that the new thread takes over.
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
            // A server that hangs up must not end the program: TLS libraries write to sockets without MSG_NOSIGNAL.
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            Thread.current.name = name
            body()
        }
    }

    /// Nil once it was joined.
    private let thread: Mutex<pthread_t?>

    /// - Parameter name: at most 15 bytes, as it stands in a debugger and in /proc.
    init(name: String, body: @escaping @Sendable () -> Void) throws(DownloadsError) {
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
                // The retain is given back here, so that what the body holds goes with the thread.
                if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        guard code == 0 else {
            retained.release()
            throw .thread(errno: code)
        }
        return thread
    }

    /// Processor time that the calling thread has had.
    static var cpuTime: Duration {
        var time = timespec()
        // `clock_gettime` fails only for an unknown clock.
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Waits until the thread has ended; whoever calls second waits as well. Never to be called by the thread itself.
    func join() {
        thread.withLock { thread in
            if let running = thread { pthread_join(running, nil) }
            thread = nil
        }
    }
}
