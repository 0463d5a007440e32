internal import Dispatch
internal import Foundation
internal import Synchronization

/// Makes sure that libcurl returns to the transfer thread. libcurl reads from a connection until there is nothing more
/// to read. It makes no callback while the data means nothing to a transfer, such as empty frames (RFC 9113 §6.1) or
/// session tickets (RFC 8446 §4.6.1). A server that sends these fast enough could hold up all transfers for as long as
/// it likes.
final class TransferWatchdog: Sendable {
    let sockets = OpenSockets()
    /// A counter that is odd while the transfer thread works and even while it waits. It changes whenever libcurl
    /// returns or calls back.
    private let heartbeat = Atomic<UInt64>(0)
    private let isStopping = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let thread: Mutex<JoinableThread?> = Mutex(nil)

    private static let interval = DispatchTimeInterval.milliseconds(100)
    /// The time between two samples, in microseconds.
    private static let sampling: UInt32 = 1000
    /// The number of samples that fit between two checks.
    private static let maxSamples = 100
    /// The number of reads without a callback at which a socket is disconnected. libcurl calls back after a few reads,
    /// as a rule after each.
    private static let maxReads = 20

    func start() throws(DownloadsError) {
        let watching = try JoinableThread(name: "downloads.watch") { self.watch() }
        thread.withLock { $0 = watching }
    }

    /// Must be called by the transfer thread, like `endWaiting()` and `recordProgress()`.
    func beginWaiting() { heartbeat.wrappingAdd(1, ordering: .relaxed) }

    func endWaiting() { heartbeat.wrappingAdd(1, ordering: .relaxed) }

    /// Notes that libcurl has returned or called back.
    func recordProgress() { heartbeat.wrappingAdd(2, ordering: .relaxed) }

    /// Notes that the transfer thread is to end. Nothing may hold that up, so sockets that stay open are soon
    /// disconnected.
    func beginStopping() { isStopping.store(true, ordering: .relaxed) }

    /// Ends the watchdog, and returns when its thread has ended.
    func end() {
        hasEnded.signal()
        thread.withLock { $0.take() }?.join()
    }

    private func watch() {
        var last: UInt64 = 0
        var isSecondSample = false
        while hasEnded.wait(timeout: .now() + Self.interval) == .timedOut {
            let current = heartbeat.load(ordering: .relaxed)
            if isStopping.load(ordering: .relaxed) {
                if isSecondSample { sockets.disconnectAll() }
                isSecondSample = true
            } else if current % 2 == 1 {
                if current == last { disconnectBusySocket(since: current) } else { sockets.beginCounting() }
            }
            last = current
        }
    }

    /// Disconnects the socket from which libcurl reads without returning, if there is one. A thread that only waits for
    /// a processor or a disk looks the same, except that no socket is read again and again.
    private func disconnectBusySocket(since held: UInt64) {
        for _ in 0..<Self.maxSamples {
            guard heartbeat.load(ordering: .relaxed) == held, !isStopping.load(ordering: .relaxed) else { return }
            if sockets.disconnectOne(afterReads: Self.maxReads) { return }
            usleep(Self.sampling)
        }
    }
}
