internal import Foundation
internal import Imaging
internal import Ledger
internal import Manifest
internal import ObjectStore
internal import PhotoModel
internal import Site
internal import Synchronization

/// The results that all workers have put into a store, for the build that makes the site of them. A result that was
/// made for another list or for other settings is not one of them.
struct CollectedResults {
    private let results: ResultStore
    private let options: BuildOptions
    private let sharing: SharingOptions
    /// The result of each photo that has one, by the photo's ledger key.
    let photos: [Digest: StoredPhoto]

    /// Reads the records of complete shards, and those of single photos where a shard is not complete.
    init(
        _ options: BuildOptions, _ sharing: SharingOptions, _ list: PhotoList, _ keys: LedgerKeys,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(GalleryError) {
        (self.options, self.sharing) = (options, sharing)
        results = try sharing.results(isCancelled: isCancelled)
        let identity = list.identity(by: sharing.key, options: options.derivatives, keys)
        let wanted = WantedResults(list, keys, options.derivatives)
        var photos: [Digest: StoredPhoto] = [:]
        photos.reserveCapacity(keys.photos.count)
        // A record can have hundreds of megabytes, so only one is in memory at a time.
        for completion in try results.completions(ofList: identity) {
            for photo in try results.photos(of: completion) where wanted.contains(photo) {
                let key = photo.photo.key
                if let known = photos[key], !photo.supersedes(known) { continue }
                photos[key] = photo
            }
        }
        let missing = Set(keys.photos.lazy.filter { photos[$0] == nil })
        if !missing.isEmpty {
            photos.merge(try results.photos(missing).filter { wanted.contains($0.value) }) { first, _ in first }
        }
        self.photos = photos
    }

    /// The store's address, for messages.
    var shown: String { sharing.shown }

    /// Ends each photo with its result. A photo without one is as good as new.
    /// - Parameter isUsable: whether the pictures of a result can be published.
    func end(_ records: [PhotoRecord], where isUsable: (StoredPhoto) -> Bool = { _ in true }) {
        for record in records {
            let photo = photos[record.key].flatMap { isUsable($0) ? $0 : nil }
            record.end(
                as: photo.map { PhotoRow($0.photo) }, retryAfter: photo?.retryAfter, now: options.now.seconds)
        }
    }

    /// Brings the pictures that the site does not have yet from the store to the state folder, from where they are
    /// published. None are brought if visitors load them from the store.
    /// - Parameter isPublished: whether a build has published the site. If none has, pictures in the output folder are
    ///   not the site's.
    /// - Returns: the names of pictures that the store lacks, or has in another size than its records say.
    func fetchPictures(of records: [PhotoRecord], isPublished: Bool) throws(GalleryError) -> Set<String> {
        guard sharing.picturesAt == nil else { return [] }
        var wanted: [String: Int64] = [:]
        for record in records {
            guard let photo = photos[record.key] else { continue }
            for picture in photo.photo.pictures where !hasPicture(picture, isPublished) {
                wanted[picture.fileName] = picture.bytes
            }
        }
        guard !wanted.isEmpty else { return [] }
        let lost = Mutex<Set<String>>([])
        let (store, derivatives) = (results.store, options.state.derivatives)
        let disk = SyncedFolder(derivatives)
        try results.calling { () throws(ObjectStoreError) in
            try store.forEach(wanted.map { ($0.key, $0.value) }) { (wanted) throws(ObjectStoreError) in
                let (name, bytes) = wanted
                let path = derivatives + "/" + name
                // A file that is there is not the picture.
                unlink(path)
                let isThere = try store.fetch(ResultStore.key(ofPicture: name), toFileAt: path)
                guard !isThere || DerivativeCache.size(of: path) != bytes || hasZeroedBlock(path) else { return }
                unlink(path)
                lost.withLock { _ = $0.insert(name) }
            }
        }
        let missing = lost.withLock { $0 }
        do throws(SiteError) {
            // The pictures are durable before the site refers to them.
            try disk.sync(wanted.keys.filter { !missing.contains($0) })
        } catch {
            throw .site(error)
        }
        return missing
    }

    private func hasPicture(_ picture: PublishedPicture, _ isPublished: Bool) -> Bool {
        ((isPublished ? [options.picturesFolder] : []) + [options.state.derivatives]).contains { folder in
            DerivativeCache.size(of: folder + "/" + picture.fileName) == picture.bytes
        }
    }
}

extension LedgerSession {
    /// Records what the store has of addresses and originals.
    mutating func add(_ results: CollectedResults) throws(GalleryError) {
        var other = LedgerSnapshot()
        other.add(results.photos.values)
        let (sources, originals) = snapshot.missing(from: other)
        try record(sources, originals)
    }

    /// Records rows of addresses and originals that come from elsewhere.
    mutating func record(_ sources: [SourceRow], _ originals: [OriginalRow]) throws(GalleryError) {
        let entries = sources.map { LedgerEntry.source($0) } + originals.map { .original($0) }
        guard !entries.isEmpty else { return }
        do {
            try ledger.record(entries)
        } catch {
            throw GalleryError(error)
        }
        for row in sources { snapshot.sources[row.key] = row }
        for row in originals { snapshot.originals[row.sha256] = row }
    }
}
