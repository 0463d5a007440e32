package import Manifest
internal import PhotoModel

/// Makes lists of photos from sources. This is the entry point of the module.
package struct Importer: Sendable {
    /// The absolute path of the list's folder, to which relative addresses in the list refer.
    private let folder: String

    package init(listIn folder: String) {
        self.folder = folder
    }

    /// Lists the pictures of a folder and of its subfolders, which become albums.
    /// - Parameter path: the absolute path of the folder.
    package func list(ofFolder path: String) throws(ImportError) -> ImportedList {
        let base = SourceBase(folder: path, list: folder)
        return try finish(FolderImporter(root: path, base: base).list(), of: .folder)
    }

    /// Lists what a file, a page or a feed names.
    /// - Parameter contentType: what the server said of the bytes.
    package func list(
        of bytes: [UInt8], from origin: ManifestOrigin, contentType: String? = nil
    ) throws(ImportError) -> ImportedList {
        guard bytes.count <= ImportLimits.sourceSize else { throw .tooLarge(limit: ImportLimits.sourceSize) }
        let base = SourceBase(origin, list: folder)
        let charset = contentType.flatMap { Charset.named(byContentType: $0, of: bytes) }
        switch try SourceSniffer.format(of: bytes, origin: origin, charset: charset) {
        case .feed: return try finish(FeedImporter(base: base).list(of: bytes, charset: charset), of: .feed)
        case .webPage: return try finish(WebPageImporter(base: base).list(of: bytes, charset: charset), of: .webPage)
        case .json:
            // JSON is UTF-8, and its type has no charset (RFC 8259 §8.1, §11).
            let text = SourceText(decoding: bytes)
            var parser = JSONParser(text.bytes)
            let values = try parser.values()
            let (list, format) = try JSONImporter(base: base).list(of: values)
            return try finish(list.warning(text.warnings), of: format)
        case .csv:
            let text = SourceText(decoding: bytes, charset: charset)
            return try finish(CSVImporter(base: base).list(of: text.bytes).warning(text.warnings), of: .csv)
        default:
            let text = SourceText(decoding: bytes, charset: charset)
            return try finish(AddressTextImporter(base: base).list(of: text.bytes).warning(text.warnings), of: .text)
        }
    }

    /// What is said twice is listed once.
    private func finish(_ list: ImportedList, of format: SourceFormat) throws(ImportError) -> ImportedList {
        guard list.photos.count <= ImportLimits.photos else { throw .tooManyPhotos(limit: ImportLimits.photos) }
        var list = list
        var seen: Set<PhotoIdentity> = []
        list.photos = list.photos.map(\.shortened).filter { photo in
            seen.insert(
                PhotoIdentity(album: photo.album, name: photo.name ?? "", sourceKey: photo.address)
            ).inserted
        }
        guard !list.photos.isEmpty else { throw .noPhotos(format) }
        return list
    }
}

extension ImportedList {
    func warning(_ more: [String]) -> ImportedList {
        ImportedList(photos: photos, shape: shape, warnings: warnings + more)
    }
}

extension ImportedPhoto {
    /// The photo with texts of limited length that XML can contain. White space is collapsed as in the reader of lists.
    fileprivate var shortened: ImportedPhoto {
        var photo = self
        photo.album = album.prefix(ManifestReader.maximumAlbumDepth).compactMap {
            PlainText.shortened($0, to: ImportLimits.nameLength / 2)
        }
        photo.name = name.flatMap { PlainText.shortened($0, to: ImportLimits.nameLength) }
        photo.details = PhotoDetails(
            caption: Self.text(details.caption), alt: Self.text(details.alt), credit: Self.text(details.credit),
            license: Self.text(details.license), link: details.link, date: Self.text(details.date),
            tags: details.tags.compactMap { PlainText.shortened($0, to: ImportLimits.nameLength) },
            rating: details.rating)
        return photo
    }

    private static func text(_ text: String?) -> String? {
        text.flatMap { PlainText.shortened($0, to: ImportLimits.textLength) }
    }
}
