internal import Downloads
internal import Imaging
internal import Ledger
package import Manifest
package import PhotoModel

/// Reads manifests without a build: counts what they list, and finds what is wrong with them. Local files are
/// inspected; no photo is downloaded, and no file is written.
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

    /// Whether nothing is wrong with the manifests.
    package var isClean: Bool { warnings.isEmpty && badEntries.isEmpty }

    /// - Throws: `GalleryError` for what would also stop a build.
    package init(_ options: BuildOptions) throws(GalleryError) {
        let list = try GalleryInspection(options, remote: .fetched).list
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
