internal import Dispatch
internal import Foundation
internal import Synchronization

/// Sees to it that libcurl gives the transfer thread back. It reads a connection until there is nothing more to read,
/// and calls nobody while what it reads means nothing to a transfer, such as empty frames (RFC 9113 §6.1) or session
/// tickets (RFC 8446 §4.6.1): a server that sends faster than that would keep it, and every other transfer, for as
/// long as it likes.
final class TransferWatchdog: Sendable {
    let sockets = OpenSockets()
    /// Odd unless the transfer thread waits. It changes whenever libcurl comes back to us, if only by a callback.
    private let heartbeat = Atomic<UInt64>(0)
    private let isStopping = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let thread: Mutex<JoinableThread?> = Mutex(nil)

    private static let interval = DispatchTimeInterval.milliseconds(100)
    /// The time between two samples, in microseconds.
    private static let sampling: UInt32 = 1000
    /// The samples that fit between two checks.
    private static let mostSamples = 100
    /// libcurl calls back after a few reads, as a rule after each.
    private static let mostReads = 20

    func start() throws(DownloadsError) {
        let watching = try JoinableThread(name: "downloads.watch") { self.watch() }
        thread.withLock { $0 = watching }
    }

    /// Must be called by the transfer thread, as must the next two.
    func beginWaiting() { heartbeat.wrappingAdd(1, ordering: .relaxed) }

    func endWaiting() { heartbeat.wrappingAdd(1, ordering: .relaxed) }

    /// libcurl came back, if only by a callback.
    func noteProgress() { heartbeat.wrappingAdd(2, ordering: .relaxed) }

    /// From now on nothing may hold up the transfer thread: what has not ended soon is broken off.
    func beginStopping() { isStopping.store(true, ordering: .relaxed) }

    /// Returns when the thread is gone.
    func end() {
        hasEnded.signal()
        thread.withLock { $0.take() }?.join()
    }

    private func watch() {
        var last: UInt64 = 0
        var isSecondLook = false
        while hasEnded.wait(timeout: .now() + Self.interval) == .timedOut {
            let current = heartbeat.load(ordering: .relaxed)
            if isStopping.load(ordering: .relaxed) {
                if isSecondLook { sockets.disconnectAll() }
                isSecondLook = true
            } else if current % 2 == 1 {
                if current == last { disconnectBusySocket(since: current) } else { sockets.beginCounting() }
            }
            last = current
        }
    }

    /// A thread that only waits for a processor or a disk looks the same, except that no socket is read again and
    /// again.
    private func disconnectBusySocket(since held: UInt64) {
        for _ in 0..<Self.mostSamples {
            guard heartbeat.load(ordering: .relaxed) == held, !isStopping.load(ordering: .relaxed) else { return }
            if sockets.disconnectOne(afterReads: Self.mostReads) { return }
            usleep(Self.sampling)
        }
    }
}
