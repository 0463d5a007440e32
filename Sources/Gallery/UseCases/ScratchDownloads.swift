internal import Downloads
internal import Foundation
internal import Ledger

/// Fetches remote manifests into a temporary folder, for a command that must leave nothing behind.
final class ScratchDownloads {
    private struct Opened {
        let store: OriginalStore
        /// One for all documents, so that they share connections and the limits of hosts.
        let downloader: Downloader
    }

    private let options: BuildOptions
    /// The folder, created for the first remote manifest. Only its owner can read it, because an address or a list can
    /// be secret.
    private var folder: String?
    private var opened: Opened?

    init(_ options: BuildOptions) { self.options = options }

    /// - Parameters:
    ///   - memory: the ledger's content, for the pauses that servers asked for. They apply here, too.
    ///   - policy: as for `ManifestFetch`.
    ///   - reportsContentType: whether the result has the server's `Content-Type`.
    func fetch(
        _ input: ManifestInput, after memory: LedgerSnapshot? = nil, policy: AddressPolicy? = nil,
        reportsContentType: Bool = false
    ) throws(GalleryError) -> ManifestBytes {
        var snapshot = LedgerSnapshot()
        if let row = input.source.flatMap({ memory?.sources[$0.rowKey] }), let wait = RetryAfter(row: row) {
            snapshot.sources[row.key] = wait.row(key: row.key, after: nil)
        }
        let opened = try open()
        let fetch = ManifestFetch(
            downloader: opened.downloader, store: opened.store, snapshot: snapshot, warn: { _ in },
            isCancelled: { false }, reportsContentType: reportsContentType, policy: policy)
        return try fetch.fetch(input)
    }

    /// Begins to fetch what `fetch` will be called for with the same policy.
    func begin(_ input: ManifestInput, policy: AddressPolicy) throws(GalleryError) {
        let opened = try open()
        ManifestFetch(
            downloader: opened.downloader, store: opened.store, snapshot: LedgerSnapshot(), warn: { _ in },
            isCancelled: { false }, policy: policy
        ).begin(input)
    }

    private func open() throws(GalleryError) -> Opened {
        if let opened { return opened }
        let folder: String
        if let made = self.folder { folder = made } else { folder = try Self.newFolder() }
        self.folder = folder
        let store = try OriginalStore.opening(folder)
        let opened = Opened(store: store, downloader: try Downloader.starting(store, options: options))
        self.opened = opened
        return opened
    }

    /// A new folder with a unique name in the system's temporary folder, with mode 0700.
    private static func newFolder() throws(GalleryError) -> String {
        let template = FileManager.default.temporaryDirectory.path + "/gallerygen-XXXXXX"
        var path = Array(template.utf8CString)
        // mkdtemp(3) replaces the last six letters in place. The length stays the same.
        guard path.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
            let code = errno
            throw .storage(path: template, .system(errno: code))
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Ends what is under way, and removes what arrived.
    func remove() {
        opened?.downloader.shutdown()
        opened = nil
        // If the folder can't be removed, the system deletes it when it cleans up temporary files.
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
        folder = nil
    }
}
