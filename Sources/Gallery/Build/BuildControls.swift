internal import Downloads
internal import Synchronization

/// The running parts of a build, which a signal can cancel, suspend and resume, and ask what takes so long.
final class BuildControls: Sendable {
    struct Parts {
        var downloader: Downloader?
        var operations: PendingOperations?
        var live: LivePublication?
    }

    private let parts = Mutex(Parts())
    private let cancelled = Mutex(false)

    var isCancelled: Bool { cancelled.withLock { $0 } }

    func update(_ change: (inout Parts) -> Void) { parts.withLock { change(&$0) } }

    /// Safe to call at any time, from any thread.
    func cancel() {
        cancelled.withLock { $0 = true }
        let parts = parts.withLock { $0 }
        parts.operations?.cancelAll()
        parts.downloader?.cancelAll()
        parts.live?.endWait()
    }

    /// The running transfer or filter that has taken longest; nil if there is none.
    var slowest: SlowWork? {
        let parts = parts.withLock { $0 }
        let now = SuspendingClock.now
        let transfer = parts.downloader?.oldestTransfer.map {
            SlowWork.transfer(host: $0.host, $0.began.duration(to: now))
        }
        let filter = parts.operations?.filtering.min { $0.began < $1.began }.map {
            SlowWork.filter(photo: $0.name, $0.began.duration(to: now))
        }
        return [transfer, filter].compactMap(\.self).max { $0.time < $1.time }
    }

    func suspend() { parts.withLock { $0 }.operations?.suspend() }

    func resume() { parts.withLock { $0 }.operations?.resume() }
}

/// A build that a signal can end. Its functions may be called from any thread.
package protocol CancellableBuild: Sendable {
    func run() throws(GalleryError) -> BuildReport
    /// Ends the build within two seconds; finished work is kept.
    func cancel()
    /// Lets no new work start until `resume()` is called.
    func suspend()
    func resume()
    /// Whether the site is being replaced, or has been, and the build is not over. The process must not exit then.
    var isCommitting: Bool { get }
    /// The running transfer or filter that has taken longest; nil if there is none.
    var slowest: SlowWork? { get }
}
