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

    /// Reads the content of a file, a page or a feed.
    /// - Parameter contentType: the `Content-Type` that the server stated for the bytes.
    package func content(
        of bytes: [UInt8], from origin: ManifestOrigin, contentType: String? = nil
    ) throws(ImportError) -> SourceContent {
        guard bytes.count <= ImportLimits.sourceSize else { throw .tooLarge(limit: ImportLimits.sourceSize) }
        let base = SourceBase(origin, list: folder)
        let charset = contentType.flatMap { Charset.named(byContentType: $0, of: bytes) }
        let format = try SourceSniffer.format(of: bytes, origin: origin, charset: charset)
        let list: ImportedList
        switch format {
        case .feed: list = try FeedImporter(base: base).list(of: bytes, charset: charset)
        case .webPage: list = try WebPageImporter(base: base).list(of: bytes, charset: charset)
        case .json: return try json(bytes, base)
        case .csv:
            let text = SourceText(decoding: bytes, charset: charset)
            list = try CSVImporter(base: base).list(of: text.bytes).warning(text.warnings)
        default:
            let text = SourceText(decoding: bytes, charset: charset)
            list = try AddressTextImporter(base: base).list(of: text.bytes).warning(text.warnings)
        }
        return .list(try finish(list, of: format))
    }

    /// Reads a member of a IIIF collection: a manifest, or another collection.
    /// - Throws: `ImportError.notIIIF` for everything else.
    package func member(of bytes: [UInt8], from origin: ManifestOrigin) throws(ImportError) -> SourceContent {
        guard bytes.count <= ImportLimits.sourceSize else { throw .tooLarge(limit: ImportLimits.sourceSize) }
        var parser = JSONParser(SourceText(decoding: bytes).bytes)
        let values = try parser.values()
        guard values.count == 1, IIIFImporter.isIIIF(values[0]) else { throw .notIIIF }
        return try iiif(values[0], SourceBase(origin, list: folder))
    }

    private func json(_ bytes: [UInt8], _ base: SourceBase) throws(ImportError) -> SourceContent {
        // JSON is UTF-8, and its type has no charset (RFC 8259 §8.1, §11).
        let text = SourceText(decoding: bytes)
        var parser = JSONParser(text.bytes)
        let values = try parser.values()
        guard let root = values.first else { throw .empty }
        if values.count == 1 {
            if StatusImporter.isStatus(root) {
                return .list(try finish(StatusImporter(base: base).list(of: root).warning(text.warnings), of: .status))
            }
            if IIIFImporter.isIIIF(root) { return try iiif(root, base) }
        }
        if MediaWikiImporter.areResponses(values) {
            let list = try MediaWikiImporter(base: base).list(of: values)
            return .list(try finish(list.warning(text.warnings), of: .mediaWiki))
        }
        let list = JSONImporter(base: base).list(of: values, lines: parser.lines)
        return .list(try finish(list.warning(text.warnings), of: .json))
    }

    private func iiif(_ root: JSONValue, _ base: SourceBase) throws(ImportError) -> SourceContent {
        if IIIFCollection.isCollection(root) { return .collection(IIIFCollection(root, base: base)) }
        return .list(try finish(IIIFImporter(base: base).list(of: root), of: .iiif))
    }

    /// Checks the limits, and lists a photo once that the source lists several times.
    /// - Throws: `ImportError.noPhotos`, `.tooManyPhotos`.
    package func finish(_ list: ImportedList, of format: SourceFormat) throws(ImportError) -> ImportedList {
        guard list.photos.count <= ImportLimits.photos else { throw .tooManyPhotos(limit: ImportLimits.photos) }
        // Photos of a source may share a long text, which the list repeats for each.
        guard list.photos.lazy.map(\.size).reduce(0, +) <= ManifestReader.maximumSize else {
            throw .listTooLarge(limit: ManifestReader.maximumSize)
        }
        var list = list
        var seen: Set<PhotoIdentity> = []
        list.photos = list.photos.map(\.shortened).filter { photo in
            seen.insert(
                PhotoIdentity(album: photo.album, name: photo.name ?? "", addressKey: photo.address)
            ).inserted
        }
        guard !list.photos.isEmpty else { throw .noPhotos(format) }
        return list
    }
}

extension ImportedList {
    func warning(_ more: [String]) -> ImportedList {
        var list = self
        list.warnings += more
        return list
    }
}

extension ImportedPhoto {
    /// The photo with texts of limited length that XML can contain. Their white space is such that the reader of lists
    /// does not change it: only the caption has lines, and none is indented.
    fileprivate var shortened: ImportedPhoto {
        var photo = self
        var length = 0
        photo.album = album.prefix(ManifestReader.maximumAlbumDepth)
            .compactMap { PlainText.shortened($0, to: ImportLimits.albumLength) }
            .prefix { name in
                length += name.utf8.count
                return length <= ManifestReader.maximumAlbumPathLength
            }
            .enumerated().map { depth, name in depth == 0 ? name : DictKeys.usable(name) }
        photo.name = name.flatMap { PlainText.shortened($0, to: ImportLimits.nameLength) }
        photo.details = PhotoDetails(
            caption: details.caption.flatMap { PlainText.shortenedLines($0, to: ImportLimits.textLength) },
            alt: Self.text(details.alt), credit: Self.text(details.credit),
            license: Self.text(details.license), link: details.link, date: Self.text(details.date),
            tags: details.tags.compactMap { PlainText.shortened($0, to: ImportLimits.nameLength) },
            rating: details.rating)
        return photo
    }

    /// The maximum number of bytes that the photo's texts take in the list, without their markup.
    var size: Int {
        let texts = [details.caption, details.alt, details.credit, details.license, details.date]
        let long = texts.lazy.compactMap { $0 }.map { min($0.utf8.count, 4 * ImportLimits.textLength) }
        let names = (album + details.tags + [name ?? ""]).lazy.map { min($0.utf8.count, 4 * ImportLimits.nameLength) }
        return address.utf8.count + (details.link?.utf8.count ?? 0) + long.reduce(0, +) + names.reduce(0, +)
    }

    private static func text(_ text: String?) -> String? {
        text.flatMap { PlainText.shortened($0, to: ImportLimits.textLength) }
    }
}
