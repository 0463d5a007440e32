internal import Synchronization

/// The counts of a downloader's transfers.
package struct TransferStatistics: Hashable, Sendable {
    /// The number of transfers from servers that have ended. Redirects, transfers that were put back to wait for a
    /// download, and cancelled transfers do not count.
    package var transfers = 0
    /// The number of transfers that ended with 304.
    package var notModified = 0
    /// The number of fetches without a transfer, because the original was still fresh.
    package var fresh = 0
    /// The number of failed transfers that were tried again.
    package var retries = 0
    /// The number of connections that were opened to servers.
    package var connections = 0
    /// The number of bytes of bodies that came from servers, including those of failed transfers.
    package var bytes: Int64 = 0
    /// The number of local files that were read.
    package var filesRead = 0

    package init() {}
}

/// A running transfer from a server.
package struct RunningTransfer: Sendable {
    package let host: String
    package let began: SuspendingClock.Instant
}

/// The statistics, shared with the threads that update them.
final class TransferTally: Sendable {
    private let statistics = Mutex(TransferStatistics())
    private let running = Mutex<RunningTransfer?>(nil)

    /// The transfer that has been running longest; nil if none is running.
    var oldest: RunningTransfer? { running.withLock { $0 } }

    func setOldest(_ transfer: RunningTransfer?) { running.withLock { $0 = transfer } }

    var current: TransferStatistics { statistics.withLock { $0 } }

    func add(_ change: (inout TransferStatistics) -> Void) { statistics.withLock { change(&$0) } }
}
