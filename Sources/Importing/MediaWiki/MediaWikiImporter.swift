internal import Addresses
internal import PhotoModel

/// Reads responses of MediaWiki's API to `prop=imageinfo`, such as those of Wikimedia Commons. Each file of the wiki
/// that is a picture becomes a photo (https://www.mediawiki.org/wiki/API:Imageinfo).
struct MediaWikiImporter {
    let base: SourceBase

    /// Whether values are the batches of a list. Single batches can lack files, or the data of their files.
    static func areResponses(_ values: [JSONValue]) -> Bool {
        values.contains(where: hasFile) && values.allSatisfy { hasFile($0) || isBatch($0) }
    }

    private static func hasFile(_ root: JSONValue) -> Bool {
        pages(of: root).contains { $0["title"]?.text != nil && file(of: $0)?["url"]?.text != nil }
    }

    private static func isBatch(_ root: JSONValue) -> Bool {
        root["batchcomplete"] != nil || !members(of: root["continue"]).isEmpty
    }

    /// - Parameter responses: the batches of a list, in their order.
    /// - Throws: `ImportError.noPhotosInBatch` if there are no pictures in them, but more batches.
    func list(of responses: [JSONValue]) throws(ImportError) -> ImportedList {
        let pages = responses.flatMap { Self.inOrder(Self.pages(of: $0)) }
        let photos = pages.compactMap(photo)
        // A page without data of its file can have them in another batch.
        let skipped = pages.count { Self.file(of: $0) != nil || $0["missing"] != nil } - photos.count
        let (are, have) = skipped == 1 ? ("is no picture", "has") : ("are no pictures", "have")
        var warnings = skipped == 0 ? [] : ["\(skipped) of its files \(are), or \(have) no address"]
        let continuation = responses.last.flatMap(Self.continuation)
        if let continuation {
            guard !photos.isEmpty else { throw .noPhotosInBatch(next: continuation) }
            warnings.append(Self.notAll(continuation))
        }
        var list = ImportedList(photos: photos, warnings: warnings)
        list.isComplete = continuation == nil
        return list
    }

    /// - Parameter continuation: the parameters that request the next batch.
    static func notAll(_ continuation: String) -> String {
        "this is not all; to request the next batch of files, add &\(continuation) to the address"
    }

    /// The pages of a response: an array, or in version 1 of the format an object of numbers and pages.
    private static func pages(of root: JSONValue) -> [JSONValue] {
        switch root["query"]?["pages"] {
        case .array(let pages)?: pages
        case .object(let members)?: members.map(\.value)
        default: []
        }
    }

    /// The pages in the order of a search, which `index` states. The response itself is sorted by page number.
    private static func inOrder(_ pages: [JSONValue]) -> [JSONValue] {
        pages.enumerated()
            .map { (index: $0.element["index"]?.number ?? .infinity, place: $0.offset, page: $0.element) }
            .sorted { ($0.index, $0.place) < ($1.index, $1.place) }
            .map(\.page)
    }

    /// The data of the newest version of a page's file.
    private static func file(of page: JSONValue) -> JSONValue? { page["imageinfo"]?.elements?.first }

    /// The parameters that request the next batch of a list, or more data of its files; nil if there is nothing more.
    /// Before version 1.26, MediaWiki sent them for each module.
    private static func continuation(of root: JSONValue) -> String? {
        let modules = members(of: root["query-continue"]).map(\.value)
        // If there is only one file, this requests its older versions.
        let older = pages(of: root).contains { file(of: $0) != nil } ? "iistart" : nil
        let texts = ([root["continue"]] + modules).flatMap(members).compactMap { key, value -> String? in
            guard key != "continue", key != older else { return nil }
            return switch value {
            case .string(let value), .number(let value): "\(inQuery(key))=\(inQuery(value))"
            default: nil
            }
        }
        let parameters = texts.joined(separator: "&")
        return parameters.isEmpty ? nil : String(parameters.prefix(ImportLimits.addressLength))
    }

    private static func members(of value: JSONValue?) -> [(key: String, value: JSONValue)] {
        if case .object(let members)? = value { members } else { [] }
    }

    /// The text encoded for the query of an address, also if that is in quotes of a shell.
    private static func inQuery(_ text: String) -> String {
        PercentEncoding.encoded(text, reserved: Set("!\"#$%&'()*+,/:;<=>?@[\\]^`{|}".utf8))
    }

    private func photo(of page: JSONValue) -> ImportedPhoto? {
        guard let file = Self.file(of: page), let address = address(of: file) else { return nil }
        return ImportedPhoto(name: page["title"]?.text.map(Self.name), address: address, details: details(of: file))
    }

    /// The address of a picture. If its format can't be read, it is that of its thumbnail, which a response has if a
    /// width was requested. The thumbnails of sounds and documents are icons and pages.
    private func address(of file: JSONValue) -> String? {
        guard let url = file["url"]?.text else { return nil }
        let name = String(PictureText.fileName(url))
        guard PictureName.isPicture(name) else { return nil }
        let thumbnail = PictureName.isReadable(name) ? nil : file["thumburl"]?.text
        return base.address(of: thumbnail ?? url)
    }

    /// The title of a page without its namespace, such as "File:" or "Datei:", and without the extension of the file.
    private static func name(_ title: String) -> String {
        let file = title.firstIndex(of: ":").map { title[title.index(after: $0)...] } ?? title[...]
        guard PictureName.isPicture(String(file)), let dot = file.lastIndex(of: ".") else { return String(file) }
        return String(file[..<dot])
    }

    /// The details in the description of a file (https://www.mediawiki.org/wiki/Extension:CommonsMetadata). The user
    /// who uploaded the file need not be its author, and is not named.
    private func details(of file: JSONValue) -> PhotoDetails {
        let metadata = file["extmetadata"]
        let text = { (key: String) in Self.text(metadata?[key]?["value"]) }
        return PhotoDetails(
            caption: text("ImageDescription"), credit: text("Attribution") ?? text("Artist"),
            license: text("LicenseShortName") ?? text("LicenseUrl"),
            link: file["descriptionurl"]?.text.flatMap(base.link),
            date: Self.date(metadata?["DateTimeOriginal"]?["value"]))
    }

    /// The text of a value, which can be HTML, or with `iiextmetadatamultilang` an object of languages: the text in
    /// the language that is preferred.
    private static func text(_ value: JSONValue?) -> String? {
        let languages = LanguageChoice(members(of: value).filter { $0.key != "_type" })
        return ([value] + languages.values).lazy.compactMap { $0?.text }.map(plain).first { !$0.isEmpty }
    }

    /// The text of HTML without white space at its ends, which can be spaces that do not break.
    private static func plain(_ html: String) -> String {
        let text = PlainText.ofHTML(html).drop(while: \.isWhitespace)
        return text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
    }

    /// The date of a description. If its HTML begins with the only machine-readable date in it, and only a time of day
    /// or a remark in parentheses follows, it is that one. With other words, the time is not known exactly.
    private static func date(_ value: JSONValue?) -> String? {
        let html = value?.text?.drop(while: \.isWhitespace) ?? ""
        let end = html.ranges(of: "</time>")
        if html.hasPrefix("<time"), end.count == 1, let start = html.firstRange(of: "datetime=\"") {
            let rest = plain(String(html[end[0].upperBound...]))
            let date = ImportedDate.text(String(html[start.upperBound...].prefix { $0 != "\"" }))
            let isExact = rest.hasPrefix("(") || rest.allSatisfy { "0123456789:, ".contains($0) }
            if isExact, ImportedDate.isTimestamp(date) { return date }
        }
        return text(value).map(ImportedDate.text)
    }
}
