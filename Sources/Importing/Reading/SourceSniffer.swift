internal import Foundation
internal import Imaging
internal import Manifest
internal import PhotoModel

/// Detects the format of a source by its first bytes, and by its name if they leave the format open.
enum SourceSniffer {
    private static let inspectedBytes = 65_536

    /// - Parameter charset: the charset that the server stated.
    static func format(
        of bytes: [UInt8], origin: ManifestOrigin, charset: String?
    ) throws(ImportError) -> SourceFormat {
        let start = Array(bytes.prefix(OriginalInspection.bytes))
        if bytes.starts(with: "bplist".utf8) { throw .propertyList }
        switch OriginalInspection.failure(ofStart: start) {
        case nil where !start.isEmpty: throw .picture
        case .unsupportedFormat("SVG")?: throw .notAList("an SVG drawing")
        case .unsupportedFormat?: throw .picture
        case .notAnImage(.pdf): throw .notAList("a PDF document")
        case .notAnImage(.compressed): throw .notAList("an archive; unpack it first")
        case .notAnImage(.video): throw .notAList("a video or sound file")
        default: break
        }
        let text = SourceText(decoding: Array(bytes.prefix(inspectedBytes)), charset: charset).bytes
        guard let first = text.first(where: { !WhiteSpace.contains($0) }) else { throw .empty }
        if first == UInt8(ascii: "<") { return try markup(text) }
        if "{[".utf8.contains(first) { return .json }
        guard !text.contains(0) else { throw .notAList("a binary file") }
        return isCSV(text, origin: origin) ? .csv : .text
    }

    private static func markup(_ text: [UInt8]) throws(ImportError) -> SourceFormat {
        switch rootElement(text[...]) {
        case "plist": throw .propertyList
        case "rss", "feed", "rdf:rdf", "rdf": return .feed
        case "svg": throw .notAList("an SVG drawing")
        case "?": throw .notAList("XML without an element")
        case let root where isPage(root, text): return .webPage
        case let root: throw .notAList("XML with the root element \(root.quoted)")
        }
    }

    /// Whether a text is a web page. Many pages start with an element other than `html`.
    private static func isPage(_ root: String, _ text: [UInt8]) -> Bool {
        let names: Set<String> = [
            "html", "head", "body", "script", "style", "title", "meta", "link", "div", "p", "a", "img", "table", "h1",
            "h2", "ul", "ol", "figure", "main", "section", "article", "center", "font", "br", "picture", "base",
        ]
        guard !names.contains(root) else { return true }
        return String(decoding: text.prefix(1_000), as: UTF8.self).lowercased().contains("<html")
    }

    /// The name of the first element in lower case, after comments, processing instructions and the DOCTYPE.
    private static func rootElement(_ text: ArraySlice<UInt8>) -> String {
        var rest = text
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            let end: String
            if rest.starts(with: "!--".utf8) {
                end = "-->"
            } else if rest.first == UInt8(ascii: "?") {
                end = "?>"
            } else if rest.first == UInt8(ascii: "!") {
                if String(decoding: rest.prefix(13), as: UTF8.self).lowercased() == "!doctype html" { return "html" }
                end = ">"
            } else {
                let name = rest.prefix { !WhiteSpace.contains($0) && !">/".utf8.contains($0) }
                return String(decoding: name.prefix(60), as: UTF8.self).lowercased()
            }
            guard let next = rest.firstRange(of: Array(end.utf8)) else { return "?" }
            rest = rest[next.upperBound...]
        }
        return "?"
    }

    private static func isCSV(_ text: [UInt8], origin: ManifestOrigin) -> Bool {
        let name =
            switch origin {
            case .file(let path, _): path.lowercased()
            case .remote(let url, _): url.lowercased()
            case .standardInput: ""
            }
        if [".csv", ".tsv", ".tab"].contains(where: { name.hasSuffix($0) }) { return true }
        let header = CSVParser.firstLine(of: text)
        if CSVParser.delimiter(namedBy: header) != nil { return true }
        guard let delimiter = CSVParser.delimiter(of: header) else { return false }
        let names = header.split(separator: delimiter).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: CharacterSet(charactersIn: "\" \t"))
        }
        return FieldNames(names).address != nil
    }
}
