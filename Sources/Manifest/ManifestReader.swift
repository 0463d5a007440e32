/// Reads manifests: turns the bytes of an XML property list into photos with their positions in the file.
package struct ManifestReader: Sendable {
    /// The size of the largest manifest in bytes. 100,000 photos with all their details take about 50 MB.
    package static let maximumSize = 256_000_000
    /// The maximum depth of nested albums.
    package static let maximumAlbumDepth = 32
    /// The most bytes in the names of an album and of those around it. All these names are read again for each photo of
    /// the album.
    package static let maximumAlbumPathLength = 4_000

    private let origin: ManifestOrigin

    package init(origin: ManifestOrigin) {
        self.origin = origin
    }

    /// Reads a whole manifest. A mistake in one entry fails that photo alone and does not throw. A manifest without any
    /// photo is not an error here.
    ///
    /// The time is bounded by a multiple of the size, whatever the bytes are.
    ///
    /// - Parameters:
    ///   - bytes: the manifest, in any encoding that libxml2 knows.
    ///   - isCancelled: called repeatedly; once it returns true, the reading ends with `.cancelled`.
    package func read(
        _ bytes: [UInt8], isCancelled: @escaping () -> Bool = { false }
    ) throws(ManifestError) -> Manifest {
        guard bytes.count <= Self.maximumSize else {
            throw .tooLarge(limit: Self.maximumSize, TextPosition(file: origin.shown, line: 1, column: 1))
        }
        try ContentSniffer(origin: origin).check(bytes)
        let list = try parse(bytes, isCancelled)
        let addresses = AddressResolver(origin: origin)
        var reader = AlbumReader(addresses: addresses, isCancelled: isCancelled)
        try reader.readRoot(list)
        let (photos, duplicates, mayRepeatNames) = Manifest.withoutDuplicates(reader.photos)
        return Manifest(
            title: ManifestTitle.of(origin), photos: photos, albums: reader.albums,
            warnings: ManifestWarnings.limited(
                (reader.warnings.all + duplicates).sorted {
                    ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
                }), folder: addresses.folder, mayRepeatNames: mayRepeatNames)
    }

    private func parse(
        _ bytes: [UInt8], _ isCancelled: @escaping () -> Bool
    ) throws(ManifestError) -> PropertyListValue {
        do throws(ManifestError) {
            return try PropertyListParser.parse(bytes, file: origin.shown, isCancelled: isCancelled)
        } catch .brokenXML(_, let position) where ContentSniffer.isWebPage(bytes) {
            throw .notAPropertyList(.root("html"), origin, position)
        } catch .notAPropertyList(let content, nil, let position) {
            throw .notAPropertyList(content, origin, position)
        }
    }
}
