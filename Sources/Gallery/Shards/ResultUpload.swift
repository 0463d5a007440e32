internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import ObjectStore
internal import PhotoModel
internal import Synchronization

/// Puts the results of photos into a store, and removes from the worker's state folder what the store has then.
final class ResultUpload: Sendable {
    private let results: ResultStore
    private let services: BuildServices
    private let derivatives: DerivativeCache
    private let originals: [Digest: OriginalRow]
    /// Whether originals go into the store, too.
    private let storesOriginals: Bool
    /// The records of the shard's photos in the store, by the photo's ledger key.
    private let known: [Digest: StoredPhoto]
    /// The keys of the addresses that several photos of the shard have. Their originals stay until the shard is done.
    private let repeatedSources: Set<Digest>
    private let state: Mutex<State>

    private struct State {
        /// The objects that are in the store, among those that photos of this shard refer to.
        var stored: Set<String>
        var photos: [Digest: StoredPhoto] = [:]
        /// The photos whose results are not in the store yet.
        var inProgress: [Digest: PhotoRecord] = [:]
        /// The originals that are removed when the shard is done.
        var keptOriginals: Set<Digest> = []
    }

    /// - Parameters:
    ///   - records: the photos that this worker works on.
    ///   - known: the records of the shard's photos in the store.
    ///   - snapshot: the ledger's content and the store's.
    init(
        _ results: ResultStore, records: [PhotoRecord], known: [Digest: StoredPhoto],
        snapshot: LedgerSnapshot, services: BuildServices, derivatives: DerivativeCache, storesOriginals: Bool
    ) {
        self.results = results
        self.services = services
        self.derivatives = derivatives
        self.storesOriginals = storesOriginals
        originals = snapshot.originals
        self.known = known
        var sources: Set<Digest> = []
        var repeated: Set<Digest> = []
        for key in records.flatMap({ $0.sources.map(\.rowKey) }) where !sources.insert(key).inserted {
            repeated.insert(key)
        }
        repeatedSources = repeated
        // In a forced build, the pictures in the store might be missing after all.
        let trusted = services.isForced ? [:] : known
        let pictures = trusted.values.flatMap { photo in
            photo.photo.pictures.map { ResultStore.key(ofPicture: $0.fileName) }
        }
        state = Mutex(State(stored: Set(pictures)))
    }

    /// The results that were put into the store, by the photo's ledger key.
    var uploaded: [Digest: StoredPhoto] { state.withLock { $0.photos } }

    /// The number of photos whose results are put into the store at the same time.
    var parallelRequests: Int { results.store.parallelRequests }

    /// The result of a photo whose operations have ended, with the facts of its addresses. The services forget these
    /// when the operations of all photos have ended, while results are still being uploaded.
    /// - Returns: nil if the operations were cancelled.
    func result(of record: PhotoRecord) -> StoredPhoto? {
        let row = record.row(now: services.now)
        guard row.state == .failed || !row.pictures.isEmpty else { return nil }
        let original = row.sha256.flatMap { digest in
            record.metadata.map { $0.row(of: digest) } ?? originals[digest]
        }
        let sources = record.sources.compactMap { services.row(of: $0.rowKey)?.value }
        return StoredPhoto(
            photo: row.value, listed: record.sourceKey, sources: sources, original: original,
            retryAfter: record.retryAfter)
    }

    /// Puts the result of a photo into the store: its pictures first, its record last.
    func upload(_ photo: StoredPhoto, of record: PhotoRecord) throws(GalleryError) {
        var photo = photo
        let row = photo.photo
        for picture in row.pictures {
            let path = derivatives.path(of: picture.fileName)
            try put(ResultStore.key(ofPicture: picture.fileName), from: path)
            // A file that can't be removed is removed when the shard is done, with all others.
            unlink(path)
        }
        // The original of a picture that stays, because its source is gone, may be in no store.
        if storesOriginals, let original = row.sha256, services.store.contains(original) {
            try put(ResultStore.key(ofOriginal: original), from: services.store.path(of: original))
        }
        let known = known[record.key]
        let result: StoredPhoto
        if let known, !photo.isNews(after: known) {
            photo.number = known.number
            result = photo
        } else {
            result = try results.record(photo, after: known?.number ?? 0, recipe: record.recipeText)
        }
        state.withLock { $0.photos[record.key] = result }
        end(record, original: row.sha256)
    }

    /// Removes the original of a photo that is in the store, unless another photo of the shard needs it.
    private func end(_ record: PhotoRecord, original: Digest?) {
        let isNeeded = state.withLock { state in
            state.inProgress[record.key] = nil
            guard let original else { return false }
            let isNeeded =
                record.sources.contains { repeatedSources.contains($0.rowKey) }
                || state.inProgress.values.contains { $0.progress.original == original }
            if isNeeded { state.keptOriginals.insert(original) }
            return isNeeded
        }
        if let original, !isNeeded { unlink(services.store.path(of: original)) }
    }

    /// Notes that the operations of a photo begin, so that its original stays until they have ended.
    func begin(_ record: PhotoRecord) { state.withLock { $0.inProgress[record.key] = record } }

    /// Brings an original from the store, if the store has it.
    func fetch(_ original: Digest) throws(GalleryError) {
        let path = services.store.newTemporaryPath()
        let key = ResultStore.key(ofOriginal: original)
        guard try results.calling({ () throws(ObjectStoreError) in try results.store.fetch(key, toFileAt: path) })
        else { return }
        state.withLock { _ = $0.stored.insert(key) }
        do throws(DownloadsError) {
            try services.store.adopt(original, fileAt: path)
        } catch {
            throw GalleryError(error)
        }
    }

    /// Removes the originals that several photos of the shard needed. What can't be removed does no harm.
    func removeOriginals() {
        for original in state.withLock({ $0.keptOriginals }) { unlink(services.store.path(of: original)) }
    }

    /// Creates an object from a file, unless the store has it.
    private func put(_ key: String, from path: String) throws(GalleryError) {
        if state.withLock({ $0.stored.contains(key) }) { return }
        do throws(ObjectStoreError) {
            _ = try results.store.create(key, fromFileAt: path)
        } catch {
            // Another photo has the same file, and its upload has removed it in the meantime.
            if state.withLock({ $0.stored.contains(key) }) { return }
            throw results.failure(error)
        }
        state.withLock { _ = $0.stored.insert(key) }
    }
}
