internal import Downloads
internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Fetches remote manifests; the last good copy of each is kept, and used while its URL fails.
final class ManifestFetch {
    private let downloader: Downloader
    private let store: OriginalStore
    private let snapshot: LedgerSnapshot
    private let warn: (String) -> Void
    private let isCancelled: () -> Bool
    /// What was fetched anew. It is to be recorded once it has proved to be a manifest, so that a web page in its place
    /// never takes the place of the last good copy.
    private(set) var fetched: [SourceRow] = []

    init(
        downloader: Downloader, store: OriginalStore, snapshot: LedgerSnapshot, warn: @escaping (String) -> Void,
        isCancelled: @escaping () -> Bool
    ) {
        self.downloader = downloader
        self.store = store
        self.snapshot = snapshot
        self.warn = warn
        self.isCancelled = isCancelled
    }

    func fetch(_ input: ManifestInput) throws(GalleryError) -> [UInt8] {
        guard let source = input.source else { throw .bug("a local manifest is to be fetched") }
        let shown = input.shown
        let known = snapshot.sources[source.rowKey].flatMap { KnownOriginal(row: $0) }
        switch wait(for: source, known: known) {
        case .unchanged(let copy), .stored(let copy, _):
            if copy != known { fetched.append(copy.row(key: source.rowKey)) }
            return try store.load(copy)
        case .failed(let failure): return try lastGood(known, shown: shown, failure)
        case .postponed(let wait): return try lastGood(known, shown: shown, .httpStatus(wait.status))
        case .storeFailed(let error): throw GalleryError(error)
        case .cancelled: throw .interrupted
        }
    }

    private func lastGood(
        _ known: KnownOriginal?, shown: String, _ failure: Failure
    ) throws(GalleryError) -> [UInt8] {
        let sentence = Reason(failure).message
        guard let known, store.contains(known.original.digest) else {
            throw .manifestUnreachable(shown: shown, detail: sentence)
        }
        warn("\(shown): \(sentence) The last good copy is used.")
        return try store.load(known)
    }

    private func wait(for source: Source, known: KnownOriginal?) -> FetchOutcome {
        let outcome = Mutex<FetchOutcome>(.cancelled)
        let arrived = DispatchSemaphore(value: 0)
        var terms = downloader.terms
        // The user named this address, wherever it is; what the manifest then names is another matter.
        if terms.policy == .publicOnly { terms.policy = .namedHost }
        let ticket = downloader.fetch(source, known: known, terms: terms) { result in
            outcome.withLock { $0 = result }
            arrived.signal()
        }
        // What is cancelled from now on is cancelled by the downloader; what was cancelled before must be here.
        if isCancelled() { ticket.cancel() }
        arrived.wait()
        return outcome.withLock { $0 }
    }
}

extension ManifestInput {
    /// The address of a remote manifest.
    var source: Source? {
        guard case .remote(let url) = self else { return nil }
        return Source(location: .remote(url), shown: shown)
    }

    /// The copy of a remote manifest that the last build kept.
    func keptCopy(in store: OriginalStore, _ snapshot: LedgerSnapshot) throws(GalleryError) -> [UInt8] {
        guard let source, let known = snapshot.sources[source.rowKey].flatMap({ KnownOriginal(row: $0) }),
            store.contains(known.original.digest)
        else {
            throw .manifestUnreachable(shown: shown, detail: "no build has fetched it yet; run gallerygen build first")
        }
        return try store.load(known)
    }
}

extension OriginalStore {
    func load(_ copy: KnownOriginal) throws(GalleryError) -> [UInt8] {
        let path = path(of: copy.original.digest)
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw .storage(path: path, detail: error.localizedDescription)
        }
    }
}
