internal import Synchronization

/// Counts of a downloader's transfers.
package struct TransferStatistics: Hashable, Sendable {
    /// Transfers from servers that have ended, whatever way; one that was cancelled does not count.
    package var transfers = 0
    /// Transfers that ended with 304.
    package var notModified = 0
    /// Fetches without a transfer, because the original was still fresh.
    package var fresh = 0
    /// Failed transfers that were followed by another try.
    package var retries = 0
    /// Connections made to servers.
    package var connections = 0
    /// Bytes of bodies that came from servers, those of failed transfers included.
    package var bytes: Int64 = 0
    /// Local files that were read.
    package var filesRead = 0

    package init() {}
}

/// A transfer from a server that is under way.
package struct RunningTransfer: Sendable {
    package let host: String
    package let began: SuspendingClock.Instant
}

/// The statistics, for the threads that add to them.
final class TransferTally: Sendable {
    private let statistics = Mutex(TransferStatistics())
    private let running = Mutex<RunningTransfer?>(nil)

    /// The transfer that has taken longest; nil if none is under way.
    var oldest: RunningTransfer? { running.withLock { $0 } }

    func setOldest(_ transfer: RunningTransfer?) { running.withLock { $0 = transfer } }

    var current: TransferStatistics { statistics.withLock { $0 } }

    func add(_ change: (inout TransferStatistics) -> Void) { statistics.withLock { change(&$0) } }
}
