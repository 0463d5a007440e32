internal import Imaging
internal import Ledger
package import Manifest
package import PhotoModel

/// Reads manifests without a build: what they list, and what is wrong with them. No photo is downloaded, no file written.
package struct Check: Sendable {
    /// An entry that will fail whatever a server answers.
    package struct BadEntry: Sendable {
        package let name: String
        package let position: TextPosition
        package let reason: Reason
    }

    package let photos: Int
    package let albums: Int
    package let warnings: [ManifestDiagnostic]
    package let badEntries: [BadEntry]

    /// - Throws: `GalleryError` for what would also stop a build.
    package init(_ options: BuildOptions) throws(GalleryError) {
        let scratch = ScratchDownloads(options)
        defer { scratch.remove() }
        try self.init(options.manifests, allowsEmpty: options.allowsEmpty) { input throws(GalleryError) in
            try scratch.fetch(input)
        }
    }

    /// - Parameter fetch: brings the bytes of a manifest that is not on this machine.
    init(
        _ inputs: [ManifestInput], allowsEmpty: Bool, fetch: (ManifestInput) throws(GalleryError) -> [UInt8]
    ) throws(GalleryError) {
        let local = try ManifestInput.localBytes(of: inputs)
        let read = try ManifestInput.read(inputs, local: local, remote: fetch)
        let list = try PhotoList(read, allowsEmpty: allowsEmpty)
        photos = list.photos.count
        albums = list.manifest.albums.count
        warnings = list.manifest.warnings
        badEntries = list.photos.compactMap { photo in
            guard case .failure(let failure) = photo.source else { return nil }
            return BadEntry(name: photo.name, position: photo.position, reason: Reason(failure))
        }
    }
}
