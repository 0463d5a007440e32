internal import Downloads
internal import Foundation
internal import Ledger

/// Fetches remote manifests into a folder that is gone afterwards, for a command that is to leave nothing behind.
struct ScratchDownloads {
    private let options: BuildOptions
    private let folder: String

    init(_ options: BuildOptions) {
        self.options = options
        folder = FileManager.default.temporaryDirectory.path + "/gallerygen-" + UUID().uuidString
    }

    /// - Parameter memory: what the last builds remember. A server that wants to be left alone is, by this as well.
    func fetch(_ input: ManifestInput, after memory: LedgerSnapshot? = nil) throws(GalleryError) -> [UInt8] {
        var snapshot = LedgerSnapshot()
        if let row = input.source.flatMap({ memory?.sources[$0.rowKey] }), let wait = ServerWait(row: row) {
            snapshot.sources[row.key] = wait.row(key: row.key, after: nil)
        }
        let store = try OriginalStore.opening(folder)
        let downloader = try Downloader.starting(store, options: options)
        defer { downloader.shutdown() }
        let fetch = ManifestFetch(
            downloader: downloader, store: store, snapshot: snapshot, warn: { _ in }, isCancelled: { false })
        return try fetch.fetch(input)
    }

    func remove() {
        // The folder is only there if a manifest was remote; the system clears what could not be removed.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
