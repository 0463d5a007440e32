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

    func fetch(_ input: ManifestInput) throws(GalleryError) -> [UInt8] {
        let store = try OriginalStore.opening(folder)
        let downloader = try Downloader.starting(store, options: options)
        defer { downloader.shutdown() }
        let fetch = ManifestFetch(
            downloader: downloader, store: store, snapshot: LedgerSnapshot(), warn: { _ in }, isCancelled: { false })
        return try fetch.fetch(input)
    }

    func remove() {
        // The folder is only there if a manifest was remote; the system clears what could not be removed.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
