internal import Downloads
internal import Imaging
internal import Ledger
package import Manifest
package import PhotoModel

/// Reads manifests without a build: counts their photos, and finds mistakes. Local files are inspected. No photo is
/// downloaded, and no file is written.
package struct Check: Sendable {
    /// An entry whose source will fail whatever a server answers.
    package struct InvalidEntry: Sendable {
        package let name: String
        package let position: TextPosition
        package let reason: Reason
        /// A suggestion, as a sentence; nil if there is none.
        package let hint: String?
        /// Whether the photo's earlier picture stays, marked as stale. Otherwise, the photo fails.
        package let keepsPicture: Bool
    }

    package let photos: Int
    package let albums: Int
    package let warnings: [ManifestDiagnostic]
    package let invalidEntries: [InvalidEntry]
    /// The mistakes that would stop a build: manifests that can't be read, and invalid filter chains of photos.
    package let errors: [GalleryError]

    /// The number of photos that will fail, and of those that will be stale.
    package var failing: Int { invalidEntries.count { !$0.keepsPicture } }
    package var stale: Int { invalidEntries.count(where: \.keepsPicture) }

    /// - Parameters:
    ///   - interruption: removes the temporary folder if a signal ends the command.
    ///   - warn: a closure that is called with a message for each manifest whose last good copy is used, and about a
    ///     damaged ledger.
    package init(_ options: BuildOptions, interruption: ScratchInterruption, warn: (String) -> Void) {
        var errors: [GalleryError] = []
        func noting(_ work: () throws(GalleryError) -> Void) {
            do throws(GalleryError) { try work() } catch { errors.append(error) }
        }
        var known: BuildHistory?
        func history() throws(GalleryError) -> BuildHistory {
            let history = if let known { known } else { try BuildHistory(options, warn: warn) }
            known = history
            return history
        }
        var manifests: [Manifest] = []
        let store = OriginalStore(reading: options.state.originals)
        let scratch = ScratchDownloads(options, interruption: interruption)
        defer { scratch.remove() }
        for input in options.manifests {
            noting { () throws(GalleryError) in
                if let local = try input.localBytes() {
                    manifests.append(try PhotoList.manifest(ManifestBytes(origin: input.origin, bytes: local)))
                    return
                }
                // The ledger is read only where it is needed: a running build can have locked it.
                let bytes = try scratch.fetchOrLastGood(input, warn: warn) { () throws(GalleryError) in
                    try input.lastGoodCopy(in: store, try history().snapshot)
                }
                manifests.append(try PhotoList.manifest(bytes))
            }
        }
        let manifest = Manifest.merged(manifests)
        if errors.isEmpty {
            noting { () throws(GalleryError) in
                try PhotoList.checkIsNotEmpty(manifest, of: options.manifests.map(\.shown), options.allowsEmpty)
            }
        }
        var filters = [FilterChain?](repeating: nil, count: manifest.photos.count)
        for (index, photo) in manifest.photos.enumerated() {
            noting { () throws(GalleryError) in filters[index] = try PhotoList.filter(of: photo) }
        }
        let files = LocalFileCheck(
            maxBytes: options.limits.maxBytes, home: options.homes.first, folder: manifest.folder)
        let problems = manifest.photos.enumerated().compactMap { index, photo in
            files.problem(of: photo).map { (index: index, failure: $0.0, hint: $0.hint) }
        }
        var kept: Set<Int> = []
        if !problems.isEmpty {
            noting { () throws(GalleryError) in
                kept = try Self.photosWithEarlierPicture(
                    of: PhotoList(manifest, filters: filters), among: problems.map(\.index), history(), options)
            }
        }
        self.errors = errors
        photos = manifest.photos.count
        albums = manifest.albums.count
        warnings = manifest.warnings
        invalidEntries = problems.map { index, failure, hint in
            let photo = manifest.photos[index]
            return InvalidEntry(
                name: photo.name, position: photo.position, reason: Reason(failure), hint: hint,
                keepsPicture: kept.contains(index))
        }
    }

    /// Finds the photos that a build shows by their earlier pictures if their sources fail.
    /// - Parameter indices: the indices of the photos with failing sources.
    private static func photosWithEarlierPicture(
        of list: PhotoList, among indices: [Int], _ history: BuildHistory, _ options: BuildOptions
    ) throws(GalleryError) -> Set<Int> {
        var history = history
        try history.recoverPhotos(of: list)
        let snapshot = history.snapshot
        let records = list.records(
            options: options.derivatives, snapshot: snapshot, keys: LedgerKeys(list.manifest),
            expectedChange: options.expectedChange, accepted: options.accepted)
        let derivatives = DerivativeCache(
            folder: options.state.derivatives, published: options.picturesFolder, snapshot: snapshot)
        let store = OriginalStore(reading: options.state.originals)
        let earlier = EarlierPictures(store: store, now: options.now.seconds) { derivatives.bytes(of: $0) != nil }
        var kept: Set<Int> = []
        for index in indices {
            let answer = records[index].sourceKey.flatMap { snapshot.sources[$0] }
            if try earlier.lastGood(of: records[index], answer) != nil { kept.insert(index) }
        }
        return kept
    }
}
