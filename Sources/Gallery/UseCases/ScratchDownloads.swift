internal import Downloads
internal import Foundation
internal import Ledger

/// Fetches remote manifests into a temporary folder, for a command that must leave nothing behind.
final class ScratchDownloads {
    private let options: BuildOptions
    /// The folder, created for the first remote manifest. Only its owner can read it, because an address or a list can
    /// be secret.
    private var folder: String?

    init(_ options: BuildOptions) { self.options = options }

    /// - Parameters:
    ///   - memory: the ledger's content, for the pauses that servers asked for. They apply here, too.
    ///   - reportsContentType: whether the result has the server's `Content-Type`.
    func fetch(
        _ input: ManifestInput, after memory: LedgerSnapshot? = nil, reportsContentType: Bool = false
    ) throws(GalleryError) -> ManifestBytes {
        var snapshot = LedgerSnapshot()
        if let row = input.source.flatMap({ memory?.sources[$0.rowKey] }), let wait = RetryAfter(row: row) {
            snapshot.sources[row.key] = wait.row(key: row.key, after: nil)
        }
        let folder: String
        if let made = self.folder { folder = made } else { folder = try Self.newFolder() }
        self.folder = folder
        let store = try OriginalStore.opening(folder)
        let downloader = try Downloader.starting(store, options: options)
        defer { downloader.shutdown() }
        let fetch = ManifestFetch(
            downloader: downloader, store: store, snapshot: snapshot, warn: { _ in }, isCancelled: { false },
            reportsContentType: reportsContentType)
        return try fetch.fetch(input)
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

    func remove() {
        // If the folder can't be removed, the system deletes it when it cleans up temporary files.
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }
}
