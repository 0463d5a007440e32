internal import Dispatch
internal import Foundation
internal import Gallery
internal import Synchronization

/// The signals of a running build: SIGINT, SIGTERM, SIGHUP and SIGQUIT end it, SIGTSTP and SIGCONT suspend and resume
/// it, and SIGUSR1 makes it print its progress.
///
/// This object must be created before any thread starts, except Dispatch's own, because new threads inherit the blocked
/// signals. A thread that received a signal would have to pass it on, and a later signal could overtake it.
///
/// `@unchecked Sendable`: `sources` is set once and then only kept alive. All other state is behind a lock.
final class Signals: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]
    private let interruption = Mutex<Int32?>(nil)
    /// Whether the process must not be killed at this moment.
    private let isBusy: @Sendable () -> Bool

    /// The first signal that ended a build; nil if none did.
    var interruptedBy: Int32? { interruption.withLock { $0 } }

    /// - Parameters:
    ///   - interrupt: a closure that is called with the number of the first signal that ends a build.
    ///   - isBusy: whether the process must not be killed at this moment.
    init(
        interrupt: @escaping @Sendable (Int32) -> Void, isBusy: @escaping @Sendable () -> Bool,
        suspend: @escaping @Sendable () -> Void,
        resume: @escaping @Sendable () -> Void, status: @escaping @Sendable () -> Void
    ) {
        self.isBusy = isBusy
        let queue = DispatchQueue(label: "gallerygen.signals")
        let listening = DispatchGroup()
        let numbers = Self.ending + [SIGTSTP, SIGCONT, SIGUSR1]
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in numbers { sigaddset(&blocked, number) }
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        sources = numbers.map { number in
            #if canImport(Darwin)
                // A dispatch source sees a signal only if its default action is off. On Linux, ignoring a signal would
                // discard a pending one.
                signal(number, SIG_IGN)
            #endif
            return DispatchSource.makeSignalSource(signal: number, queue: queue)
        }
        for (index, number) in numbers.enumerated() {
            let source = sources[index]
            source.setEventHandler { [weak self] in
                switch number {
                case SIGINT, SIGTERM, SIGHUP, SIGQUIT:
                    self?.end(by: number, times: self?.sources[index].data ?? 1, interrupt)
                case SIGTSTP:
                    suspend()
                    // SIGTSTP no longer stops the process, because it is handled here. SIGSTOP always does.
                    kill(getpid(), SIGSTOP)
                case SIGCONT: resume()
                default: status()
                }
            }
            // Dispatch registers the source on another thread. Not every system keeps a signal that arrives before
            // that.
            listening.enter()
            source.setRegistrationHandler { listening.leave() }
            source.activate()
        }
        listening.wait()
    }

    /// The signals of a command that changes nothing, so that it ends at once.
    /// - Parameter scratch: the interruption that removes the command's temporary folder before.
    convenience init(removing scratch: ScratchInterruption) {
        self.init(
            interrupt: { number in
                // On the queue of the signals, a disk that does not respond would hold up a second signal.
                DispatchQueue(label: "gallerygen.removal").async { scratch.removeFolder { _exit(128 + number) } }
            }, isBusy: { false }, suspend: {}, resume: {}, status: {})
    }

    /// The signals that end a build. SIGHUP is not one of them if the process was started with SIGHUP ignored, as
    /// nohup(1) does.
    private static var ending: [Int32] { [SIGINT, SIGTERM, SIGQUIT] + [SIGHUP].filter { !isIgnored($0) } }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        // SIG_IGN is the address 1, which no function has. Its bits are compared, because Swift can't compare
        // functions.
        return unsafeBitCast(handler, to: Int.self) == 1
    }

    /// Makes SIGQUIT end a command that does not handle the signal, without a core file. Otherwise, Swift's runtime
    /// would print a crash report, and the program would continue. This must be called before anything else.
    static func endQuietlyOnQuit() {
        guard !isIgnored(SIGQUIT) else { return }
        signal(SIGQUIT) { _exit(128 + $0) }
    }

    private static let lateEnd: StaticString =
        "gallerygen: interrupted without waiting for a disk or program that does not respond; the next build goes on\n"

    /// The longest time between a signal and the end of the process. Users are promised two seconds.
    private static let longestEnd = DispatchTimeInterval.milliseconds(1_800)

    /// Ends the process even if the build hangs in a call that can't be cancelled, such as one to a disk that does not
    /// respond. A commit that has begun, and the rest of its build, are waited for, so that the site is the new one if
    /// the exit code says so. What follows the build, such as its summary, has as much time again.
    private func endAfter(_ time: DispatchTimeInterval, code: Int32, wasBusy: Bool = false) {
        // A serial queue of its own gets a thread even if all threads of the global queue are blocked.
        DispatchQueue(label: "gallerygen.deadline").asyncAfter(deadline: .now() + time) { [isBusy, self] in
            guard !isBusy() else { return endAfter(.milliseconds(100), code: code, wasBusy: true) }
            guard wasBusy else {
                // The message bypasses the console, because a blocked thread might hold the console's lock.
                _ = Self.lateEnd.withUTF8Buffer { write(STDERR_FILENO, $0.baseAddress, $0.count) }
                _exit(code)
            }
            endAfter(Self.longestEnd, code: code)
        }
    }

    /// - Parameter times: the number of signals since the last call, because Dispatch might merge several into one
    ///   call.
    private func end(by number: Int32, times: UInt, _ interrupt: (Int32) -> Void) {
        let isFirst = interruption.withLock { first in
            defer { first = first ?? number }
            return first == nil
        }
        // A second signal requests an end without delay.
        guard isFirst, times < 2 else { _exit(128 + number) }
        endAfter(Self.longestEnd, code: 128 + number)
        interrupt(number)
    }
}
