internal import Downloads
internal import Imaging
internal import Ledger
package import Manifest
package import PhotoModel

/// Reads manifests without a build: what they list, and what is wrong with them. Local files are looked at; no photo is
/// downloaded, no file written.
package struct Check: Sendable {
    /// An entry that will fail whatever a server answers.
    package struct BadEntry: Sendable {
        package let name: String
        package let position: TextPosition
        package let reason: Reason
        /// A suggestion, as a sentence.
        package let hint: String?
    }

    package let photos: Int
    package let albums: Int
    package let warnings: [ManifestDiagnostic]
    package let badEntries: [BadEntry]

    /// Whether there is nothing to be mended.
    package var isClean: Bool { warnings.isEmpty && badEntries.isEmpty }

    /// - Throws: `GalleryError` for what would also stop a build.
    package init(_ options: BuildOptions) throws(GalleryError) {
        let scratch = ScratchDownloads(options)
        defer { scratch.remove() }
        let local = try ManifestInput.localBytes(of: options.manifests)
        let read = try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
            try scratch.fetch(input)
        }
        let list = try PhotoList(read, allowsEmpty: options.allowsEmpty)
        photos = list.photos.count
        albums = list.manifest.albums.count
        warnings = list.manifest.warnings
        let files = LocalFileCheck(
            maxBytes: options.limits.maxBytes, home: options.homes.first, folder: list.manifest.folder)
        badEntries = list.photos.compactMap { photo in
            guard let (failure, hint) = files.problem(of: photo) else { return nil }
            return BadEntry(name: photo.name, position: photo.position, reason: Reason(failure), hint: hint)
        }
    }
}
