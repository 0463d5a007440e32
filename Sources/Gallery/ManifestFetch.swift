internal import Downloads
internal import Foundation
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Synchronization

/// Reads manifests wherever they are; the last good copy of a remote one is kept and used while its URL fails.
struct ManifestFetch {
    let downloader: Downloader
    let store: OriginalStore
    /// nil: nothing is remembered of what is fetched.
    let ledger: Ledger?
    let snapshot: LedgerSnapshot
    let warn: (String) -> Void

    func read(_ inputs: [ManifestInput]) throws(GalleryError) -> [ManifestBytes] {
        var read: [ManifestBytes] = []
        for input in inputs {
            if let bytes = try input.localBytes() {
                read.append(ManifestBytes(origin: input.origin, bytes: bytes))
            } else {
                read.append(ManifestBytes(origin: input.origin, bytes: try fetch(input)))
            }
        }
        return read
    }

    func fetch(_ input: ManifestInput) throws(GalleryError) -> [UInt8] {
        guard let source = input.source else { throw .bug("a local manifest is to be fetched") }
        let shown = input.shown
        let known = snapshot.sources[source.rowKey].flatMap { KnownOriginal(row: $0) }
        switch wait(for: source, known: known) {
        case .unchanged(let copy), .stored(let copy, _):
            return try keep(copy, of: source, known: known)
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
        _ = downloader.fetch(source, known: known, terms: terms) { result in
            outcome.withLock { $0 = result }
            arrived.signal()
        }
        arrived.wait()
        return outcome.withLock { $0 }
    }

    private func keep(_ copy: KnownOriginal, of source: Source, known: KnownOriginal?) throws(GalleryError) -> [UInt8] {
        let bytes = try store.load(copy)
        if copy != known {
            do {
                try ledger?.record(copy.row(key: source.rowKey))
            } catch {
                throw GalleryError(error)
            }
        }
        return bytes
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
