internal import Downloads
internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Fetches remote manifests. The last good copy of each is kept, and used as long as its URL fails.
final class ManifestFetch {
    /// The interval at which `isCancelled` is called.
    private static let pollInterval = DispatchTimeInterval.milliseconds(100)

    private let downloader: Downloader
    private let store: OriginalStore
    private let snapshot: LedgerSnapshot
    private let warn: (String) -> Void
    private let isCancelled: () -> Bool
    /// Whether the result has the server's `Content-Type`. XML declares its own encoding; only other formats of a list
    /// need the header field.
    private let reportsContentType: Bool
    private let policy: AddressPolicy
    /// Whether a copy counts as outdated however long its server allows to use it.
    private let revalidatesAlways: Bool
    /// The new copies. A copy is recorded in the ledger only when it has proved to be a manifest, so that a web page
    /// sent in its place never replaces the last good copy.
    private(set) var fetched: [LedgerEntry] = []
    /// The pauses that servers asked for. They are recorded in any case.
    private(set) var postponed: [LedgerEntry] = []
    /// The keys of the addresses whose manifests were fetched or confirmed.
    private var arrived: Set<Digest> = []

    /// - Parameter policy: the policy for the address of the manifest; nil for an address that the user named, which
    ///   can be on any server.
    init(
        downloader: Downloader, store: OriginalStore, snapshot: LedgerSnapshot, warn: @escaping (String) -> Void,
        isCancelled: @escaping () -> Bool, reportsContentType: Bool = false, policy: AddressPolicy? = nil,
        revalidatesAlways: Bool = false
    ) {
        self.downloader = downloader
        self.store = store
        self.snapshot = snapshot
        self.warn = warn
        self.isCancelled = isCancelled
        self.reportsContentType = reportsContentType
        self.revalidatesAlways = revalidatesAlways
        var named = downloader.options.policy
        named.isLocallyListed = true
        self.policy = policy ?? named
    }

    /// Starts a fetch that a later call of `fetch` joins, so that the manifest arrives while others are read.
    func begin(_ input: ManifestInput, completion: @escaping @Sendable (FetchOutcome) -> Void) {
        guard let source = input.source else { return }
        _ = downloader.fetch(source, known: input.known(in: snapshot), options: options, completion: completion)
    }

    func fetch(_ input: ManifestInput) throws(GalleryError) -> ManifestBytes {
        guard let source = input.source else { throw .bug("a local manifest is to be fetched") }
        let shown = input.shown
        let row = snapshot.sources[source.rowKey]
        let known = input.known(in: snapshot)
        let pause = row.flatMap { RetryAfter(row: $0) }
        let outcome = wait { [downloader] in
            downloader.fetch(source, known: known, wait: pause, options: $0, completion: $1)
        }
        if case .postponed(let asked) = outcome, asked != pause {
            postponed.append(.source(asked.row(key: source.rowKey, after: row)))
        }
        if let copy = outcome.known {
            if let bytes = try store.load(copy) { return accept(copy, bytes, of: input, source, after: known) }
            // The stored copy was damaged. `load` has removed it.
            let again = wait { [downloader] in downloader.fetchAgain(source, options: $0, completion: $1) }
            if let copy = again.known, let bytes = try store.load(copy) {
                return accept(copy, bytes, of: input, source, after: known)
            }
            return input.manifestBytes(try fallback(for: again, known, shown: shown), at: known?.location)
        }
        return input.manifestBytes(try fallback(for: outcome, known, shown: shown), at: known?.location)
    }

    /// Whether a manifest was fetched or confirmed. If not, its address has failed.
    func hasArrived(_ input: ManifestInput) -> Bool { input.source.map { arrived.contains($0.rowKey) } ?? false }

    private func accept(
        _ copy: CachedOriginal, _ bytes: [UInt8], of input: ManifestInput, _ source: Source,
        after known: CachedOriginal?
    ) -> ManifestBytes {
        arrived.insert(source.rowKey)
        if copy != known {
            fetched.append(.source(copy.row(key: source.rowKey)))
            fetched.append(.location(source.rowKey, copy.location))
        }
        return input.manifestBytes(bytes, at: copy.location, contentType: copy.contentType)
    }

    /// The last good copy, used if the fetch failed.
    private func fallback(
        for outcome: FetchOutcome, _ known: CachedOriginal?, shown: String
    ) throws(GalleryError) -> [UInt8] {
        switch outcome {
        case .unchanged, .stored:
            throw .storage(path: store.root, .other("the copy that was just stored there is damaged"))
        case .refused(let refused): return try lastGood(known, shown: shown, Reason(refused.failure).message)
        case .failed(let failure):
            let shownFailure = ShownAddress.isRedacted(shown) ? failure.withoutHosts : failure
            return try lastGood(known, shown: shown, Reason(shownFailure).message)
        case .postponed(let wait): return try lastGood(known, shown: shown, wait.message)
        case .storeFailed(let error): throw GalleryError(error)
        case .cancelled: throw .interrupted
        }
    }

    private func lastGood(
        _ known: CachedOriginal?, shown: String, _ sentence: String
    ) throws(GalleryError) -> [UInt8] {
        guard let known, let copy = try store.load(known) else {
            throw .manifestUnreachable(shown: shown, detail: sentence)
        }
        warn("\(shown): \(sentence) Using the last good copy.")
        return copy
    }

    private func wait(
        for start: (FetchOptions, @escaping @Sendable (FetchOutcome) -> Void) -> FetchHandle
    ) -> FetchOutcome {
        let outcome = Mutex<FetchOutcome>(.cancelled)
        let arrived = DispatchSemaphore(value: 0)
        let handle = start(options) { result in
            outcome.withLock { $0 = result }
            arrived.signal()
        }
        // A build cancels its downloader as well, but a preview has none yet that could be cancelled.
        while !isCancelled() {
            if arrived.wait(timeout: .now() + Self.pollInterval) == .success { return outcome.withLock { $0 } }
        }
        handle.cancel()
        arrived.wait()
        return outcome.withLock { $0 }
    }

    private var options: FetchOptions {
        var options = downloader.options
        options.policy = policy
        options.allowsCompression = true
        // The manifest's reader decides whether the content is a manifest.
        options.contentCheck = nil
        // `--min-age` is about photos: a list is short, and an edit of it should be seen.
        if case .server = options.maxAge { options.maxAge = .auto }
        if revalidatesAlways { options.maxAge = .fixed(.zero) }
        options.reportsLocation = true
        options.reportsContentType = reportsContentType
        return options
    }
}

extension RetryAfter {
    /// The failure, and the time until which the server is not contacted.
    fileprivate var message: String {
        "\(Reason(.httpStatus(status)).message) Not retried before \(Timestamp(seconds: until))."
    }
}

extension ManifestInput {
    /// The address of a remote manifest.
    var source: Source? {
        guard case .remote(let url) = self else { return nil }
        return Source(location: .remote(url), shown: shown)
    }

    /// The manifest that the last build stored; nil if there is none.
    func known(in snapshot: LedgerSnapshot) -> CachedOriginal? {
        guard let source, var known = snapshot.sources[source.rowKey].flatMap({ CachedOriginal(row: $0) }) else {
            return nil
        }
        known.location = snapshot.locations[source.rowKey]
        return known
    }

    /// The copy of a remote manifest that the last build stored; nil if there is none.
    func lastGoodCopy(in store: OriginalStore, _ snapshot: LedgerSnapshot) throws(GalleryError) -> ManifestBytes? {
        guard let known = known(in: snapshot), let copy = try store.load(known) else { return nil }
        return manifestBytes(copy, at: known.location)
    }

    /// - Throws: `GalleryError.manifestUnreachable` if there is no copy.
    func requiredLastGoodCopy(in store: OriginalStore, _ snapshot: LedgerSnapshot) throws(GalleryError) -> ManifestBytes
    {
        guard let copy = try lastGoodCopy(in: store, snapshot) else {
            throw .manifestUnreachable(
                shown: shown, detail: "no earlier build has a copy of it; run gallerygen build first")
        }
        return copy
    }
}

extension OriginalStore {
    /// - Returns: nil if the copy is missing or damaged.
    func load(_ copy: CachedOriginal) throws(GalleryError) -> [UInt8]? {
        do {
            return try content(of: copy.original.digest)
        } catch {
            throw GalleryError(error)
        }
    }
}
