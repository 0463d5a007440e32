internal import Foundation
internal import Manifest
internal import PhotoModel

/// Lists the pictures of a web page. Of a picture in several sizes it takes the largest, and in place of a thumbnail it
/// takes the picture to which the thumbnail links.
struct WebPageImporter {
    let base: SourceBase

    func list(of page: [UInt8], charset: String?) throws(ImportError) -> ImportedList {
        guard page.count <= ImportLimits.pageSize else { throw .tooLarge(limit: ImportLimits.pageSize) }
        let reader = PageReader(base: base)
        try MarkupParser.parseHTML(PageEncoding.utf8(of: page, charset: charset), into: reader)
        let photos = Self.withoutDuplicates(reader.pictures).map { picture in
            var photo = picture.photo
            photo.details.license = reader.license
            return photo
        }
        let warning = "\(reader.skipped) symbols, drawings and pictures within the page itself are left out"
        return ImportedList(photos: photos, warnings: reader.skipped == 0 ? [] : [warning])
    }

    /// The pictures without duplicates. Pages repeat a picture for browsers without scripts.
    private static func withoutDuplicates(_ pictures: [PageReader.Picture]) -> [PageReader.Picture] {
        var seen: Set<String> = []
        return pictures.filter { seen.insert($0.address).inserted }
    }
}

extension PageReader.Picture {
    /// The photo of a picture. If the picture has no caption, its alternative text becomes the caption.
    var photo: ImportedPhoto {
        var photo = ImportedPhoto(address: address)
        photo.details.caption = caption ?? alt
        photo.details.alt = caption == nil ? nil : alt
        photo.details.link = link
        return photo
    }
}

/// Detects the encoding of a page, as browsers do (WHATWG HTML §13.2.3.2).
enum PageEncoding {
    private static let inspectedBytes = 4_096

    /// - Parameter charset: the charset that the server stated. It overrides what the page declares.
    static func utf8(of page: [UInt8], charset: String?) -> [UInt8] {
        guard !SourceText.hasByteOrderMark(page) else { return SourceText(decoding: page).bytes }
        for label in [charset, declared(by: page)] {
            if let label, let text = Charset.utf8(of: page[...], in: label) { return text }
        }
        return SourceText(decoding: page).bytes
    }

    /// The charset in the page's first `meta` that states one, or in the XML declaration before it.
    private static func declared(by page: [UInt8]) -> String? {
        let start = String(
            decoding: page.prefix(inspectedBytes).map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self
        )
        .lowercased()
        var rest = start[...]
        while let tag = rest.firstRange(of: "<meta") {
            rest = rest[tag.upperBound...]
            let attributes = rest.prefix { $0 != ">" }
            if let charset = value(of: "charset", in: attributes) { return charset }
        }
        guard start.hasPrefix("<?xml") else { return nil }
        return value(of: "encoding", in: start.prefix { $0 != ">" })
    }

    private static func value(of name: String, in attributes: Substring) -> String? {
        guard let found = attributes.firstRange(of: name) else { return nil }
        let after = attributes[found.upperBound...].drop { $0 == " " || $0 == "\n" || $0 == "\t" }
        guard after.first == "=" else { return nil }
        let value = after.dropFirst().drop { " \"'".contains($0) }.prefix { !" \"';/?\n\t".contains($0) }
        // A declaration that can be read as ASCII can't be in UTF-16.
        return value.isEmpty || value.hasPrefix("utf-16") ? nil : String(value)
    }
}
