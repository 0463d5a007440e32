internal import Foundation
internal import Ledger
internal import Manifest
internal import ObjectStore
internal import PhotoModel

/// `shards`: which shards of a list are complete in a store, and which are missing. Nothing is written.
package struct ShardReport: Sendable {
    package let count: Int
    /// The complete shards with what their records say. The value is nil if it was not read, or if the record has
    /// another version.
    package let complete: [(shard: Shard, summary: ShardSummary?)]

    /// The indices of the missing shards, in ascending order.
    package var missing: [Int] {
        let done = Set(complete.map(\.shard.index))
        return (1...count).filter { !done.contains($0) }
    }

    /// - Parameters:
    ///   - count: the number of shards.
    ///   - readsSummaries: whether the records of complete shards are read, and not only their names.
    ///   - interruption: removes the temporary folder if a signal ends the command.
    ///   - warn: a closure that is called with a message for each list whose last good copy is used.
    /// - Throws: `GalleryError` if a list or the store can't be read.
    package init(
        _ options: BuildOptions, count: Int, readsSummaries: Bool, interruption: ScratchInterruption,
        warn: (String) -> Void
    ) throws(GalleryError) {
        guard let sharing = options.sharing else { throw .bug("no store") }
        let history = try BuildHistory(options, warn: warn)
        let gallery = try GalleryInspection(
            options, history: history, remote: .fetchedOrLastGood, interruption: interruption, warn: warn)
        let list = gallery.list
        let identity = list.identity(by: sharing.key, options: options.derivatives, LedgerKeys(list.manifest))
        self.count = count
        let results: ResultStore
        do throws(GalleryError) {
            results = try sharing.results(isCancelled: { false })
        } catch .store(_, .file(_, ENOENT)) {
            // The first worker creates the folder.
            complete = []
            return
        }
        var complete: [(Shard, ShardSummary?)] = []
        for completion in try results.completions(ofList: identity) where completion.shard.count == count {
            complete.append((completion.shard, readsSummaries ? try results.summary(of: completion) : nil))
        }
        self.complete = complete
    }
}
