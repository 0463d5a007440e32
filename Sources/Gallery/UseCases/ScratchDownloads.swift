internal import Downloads
internal import Foundation
internal import Ledger
internal import Synchronization

/// The temporary folder of a command, and the fetches into it, which a signal interrupts from another thread.
package final class ScratchInterruption: Sendable {
    private struct State {
        var isInterrupted = false
        /// The folder, and the downloader that writes into it; nil while there are none.
        var folder: String?
        var downloader: Downloader?
    }

    private let state = Mutex(State())

    package init() {}

    package func interrupt() {
        let downloader = state.withLock { state in
            state.isInterrupted = true
            return state.downloader
        }
        downloader?.cancelAll()
    }

    /// Removes the folder, and ends the process before the command can make another one or use its result.
    package func removeFolder(thenEnd end: () -> Never) -> Never {
        state.withLock { state in
            Self.remove(&state)
            end()
        }
    }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Creates the folder and opens its store and downloader.
    fileprivate func open(_ options: BuildOptions) throws(GalleryError) -> (store: OriginalStore, Downloader) {
        try state.withLock { state throws(GalleryError) in
            let folder: String
            if let made = state.folder { folder = made } else { folder = try Self.newFolder() }
            state.folder = folder
            let store = try OriginalStore.opening(folder)
            let downloader = try Downloader.starting(store, options: options)
            state.downloader = downloader
            return (store, downloader)
        }
    }

    /// Cancels all running fetches, and removes the folder with all documents.
    fileprivate func remove() { state.withLock { Self.remove(&$0) } }

    private static func remove(_ state: inout State) {
        state.downloader?.shutdown()
        state.downloader = nil
        // If the folder can't be removed, the system deletes it when it cleans up temporary files.
        if let folder = state.folder { try? FileManager.default.removeItem(atPath: folder) }
        state.folder = nil
    }

    /// A new folder with a unique name in the system's temporary folder, with mode 0700: only its owner can read it,
    /// because an address or a list can be secret.
    private static func newFolder() throws(GalleryError) -> String {
        let parent = FileManager.default.temporaryDirectory.path
        // A copy of the bytes, because mkdtemp(3) replaces the last six letters in place. The length stays the same.
        var path = Array((parent + "/gallerygen-XXXXXX").utf8CString)
        guard path.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
            let code = errno
            throw .storage(path: parent, .system(errno: code))
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The bytes of the prefetched documents.
private final class ByteCounter: Sendable {
    private let bytes = Mutex(0)

    var count: Int { bytes.withLock { $0 } }

    func add(_ more: Int) { bytes.withLock { $0 += more } }
}

/// Fetches remote manifests into a temporary folder, for a command that must leave nothing behind.
final class ScratchDownloads {
    private struct Opened {
        let store: OriginalStore
        /// The downloader of all documents, which share its connections and its limits for each host.
        let downloader: Downloader
    }

    private let options: BuildOptions
    private let interruption: ScratchInterruption
    private let prefetched = ByteCounter()
    /// The folder is created for the first remote manifest.
    private var opened: Opened?

    init(_ options: BuildOptions, interruption: ScratchInterruption = ScratchInterruption()) {
        self.options = options
        self.interruption = interruption
    }

    /// The number of bytes that `begin` has brought to the disk so far.
    var prefetchedBytes: Int { prefetched.count }

    /// - Throws: `GalleryError.interrupted` after an interruption.
    func checkInterruption() throws(GalleryError) {
        if interruption.isInterrupted { throw .interrupted }
    }

    /// - Parameters:
    ///   - history: the ledger's content, for the pauses that servers asked for. They apply here, too.
    ///   - policy: as for `ManifestFetch`.
    ///   - reportsContentType: whether the result has the server's `Content-Type`.
    func fetch(
        _ input: ManifestInput, after history: LedgerSnapshot? = nil, policy: AddressPolicy? = nil,
        reportsContentType: Bool = false
    ) throws(GalleryError) -> ManifestBytes {
        var snapshot = LedgerSnapshot()
        if let row = input.source.flatMap({ history?.sources[$0.rowKey] }), let wait = RetryAfter(row: row) {
            snapshot.sources[row.key] = wait.row(key: row.key, after: nil)
        }
        let opened = try open()
        let fetch = ManifestFetch(
            downloader: opened.downloader, store: opened.store, snapshot: snapshot, warn: { _ in },
            isCancelled: { [interruption] in interruption.isInterrupted }, reportsContentType: reportsContentType,
            policy: policy)
        return try fetch.fetch(input)
    }

    /// Fetches a manifest. If that fails, its last good copy is used, as by a build.
    /// - Parameters:
    ///   - history: the ledger's content, as for `fetch`.
    ///   - warn: a closure that is called with a message if the last good copy is used.
    ///   - lastGood: returns the last good copy; nil if there is none.
    func fetchOrLastGood(
        _ input: ManifestInput, after history: LedgerSnapshot? = nil, warn: (String) -> Void,
        lastGood: () throws(GalleryError) -> ManifestBytes?
    ) throws(GalleryError) -> ManifestBytes {
        do throws(GalleryError) {
            return try fetch(input, after: history)
        } catch .manifestUnreachable(let shown, let detail) {
            guard let copy = try lastGood() else { throw .manifestUnreachable(shown: shown, detail: detail) }
            warn("\(shown): \(detail) Using the last good copy.")
            return copy
        }
    }

    /// Starts a fetch whose result a later call of `fetch` with the same policy returns.
    func begin(_ input: ManifestInput, policy: AddressPolicy) throws(GalleryError) {
        let opened = try open()
        ManifestFetch(
            downloader: opened.downloader, store: opened.store, snapshot: LedgerSnapshot(), warn: { _ in },
            isCancelled: { false }, policy: policy
        ).begin(input) { [prefetched] outcome in
            if let copy = outcome.known { prefetched.add(Int(copy.original.bytes)) }
        }
    }

    /// Discards failures and results, so that a document can be fetched again with another policy.
    func discardOutcomes() { opened?.downloader.discardOutcomes() }

    private func open() throws(GalleryError) -> Opened {
        if let opened { return opened }
        let (store, downloader) = try interruption.open(options)
        let opened = Opened(store: store, downloader: downloader)
        self.opened = opened
        return opened
    }

    /// Cancels all running fetches, and removes the folder with all documents.
    func remove() {
        opened = nil
        interruption.remove()
    }
}
