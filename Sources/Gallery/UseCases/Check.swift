internal import Downloads
internal import Imaging
internal import Ledger
package import Manifest
package import PhotoModel

/// Reads manifests without a build: counts their photos, and finds mistakes. Local files are inspected. No photo is
/// downloaded, and no file is written.
package struct Check: Sendable {
    /// An entry that will fail whatever a server answers.
    package struct InvalidEntry: Sendable {
        package let name: String
        package let position: TextPosition
        package let reason: Reason
        /// A suggestion, as a sentence; nil if there is none.
        package let hint: String?
    }

    package let photos: Int
    package let albums: Int
    package let warnings: [ManifestDiagnostic]
    package let invalidEntries: [InvalidEntry]
    /// The mistakes that would stop a build: manifests that can't be read, and invalid filter chains of photos.
    package let errors: [GalleryError]

    /// Whether nothing is wrong with the manifests.
    package var isClean: Bool { warnings.isEmpty && invalidEntries.isEmpty && errors.isEmpty }

    /// - Parameter warn: a closure that is called with a message for each manifest whose last good copy is used, and
    ///   about a damaged ledger.
    package init(_ options: BuildOptions, warn: (String) -> Void) {
        var errors: [GalleryError] = []
        func noting(_ work: () throws(GalleryError) -> Void) {
            do throws(GalleryError) { try work() } catch { errors.append(error) }
        }
        var manifests: [Manifest] = []
        let store = OriginalStore(reading: options.state.originals)
        let scratch = ScratchDownloads(options)
        defer { scratch.remove() }
        for input in options.manifests {
            noting { () throws(GalleryError) in
                if let local = try input.localBytes() {
                    manifests.append(try PhotoList.manifest(ManifestBytes(origin: input.origin, bytes: local)))
                    return
                }
                // The ledger is read only where it is needed: a running build can have locked it.
                let bytes = try scratch.fetchOrLastGood(input, warn: warn) { () throws(GalleryError) in
                    try input.lastGoodCopy(in: store, try BuildHistory(options, warn: warn).snapshot)
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
        for photo in manifest.photos {
            noting { () throws(GalleryError) in _ = try PhotoList.filter(of: photo) }
        }
        self.errors = errors
        photos = manifest.photos.count
        albums = manifest.albums.count
        warnings = manifest.warnings
        let files = LocalFileCheck(
            maxBytes: options.limits.maxBytes, home: options.homes.first, folder: manifest.folder)
        invalidEntries = manifest.photos.compactMap { photo in
            guard let (failure, hint) = files.problem(of: photo) else { return nil }
            return InvalidEntry(name: photo.name, position: photo.position, reason: Reason(failure), hint: hint)
        }
    }
}
