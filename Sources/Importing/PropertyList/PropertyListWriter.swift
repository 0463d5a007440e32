internal import Foundation
internal import Manifest
internal import PhotoModel

/// Writes photos as a property list that people can read and edit.
struct PropertyListWriter {
    static let indentation = "    "

    /// The text of a whole list.
    static func document(_ list: ImportedList, record: ImportRecord) -> String {
        let tree = AlbumTree(list.photos, shape: list.shape)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(tree.root.text(indented: "", isRoot: true))
            \(record.comment)
            </plist>

            """
    }

    /// The text of a photo's dict.
    /// - Parameters:
    ///   - indent: the indentation of the dict itself.
    ///   - isNamed: whether the name is in a key before the dict.
    static func dict(_ photo: ImportedPhoto, indented indent: String, isNamed: Bool) -> String {
        let inner = indent + indentation
        var lines = [indent + "<dict>"]
        func add(_ key: String, _ value: String?) {
            guard let value else { return }
            lines += ["\(inner)<key>\(key)</key>", "\(inner)<string>\(escaped(value))</string>"]
        }
        if !isNamed { add("name", photo.name) }
        add("url", photo.address)
        let details = photo.details
        add("caption", details.caption)
        add("alt", details.alt)
        add("credit", details.credit)
        add("license", details.license)
        add("link", details.link)
        if let date = details.date {
            let element = ImportedDate.isTimestamp(date) ? "date" : "string"
            lines += ["\(inner)<key>date</key>", "\(inner)<\(element)>\(escaped(date))</\(element)>"]
        }
        if !details.tags.isEmpty {
            lines += ["\(inner)<key>tags</key>", "\(inner)<array>"]
            lines += details.tags.map { "\(inner)\(indentation)<string>\(escaped($0))</string>" }
            lines.append("\(inner)</array>")
        }
        if let rating = details.rating {
            lines += ["\(inner)<key>rating</key>", "\(inner)<real>\(rating)</real>"]
        }
        add("filter", photo.filter)
        lines.append(indent + "</dict>")
        return lines.joined(separator: "\n")
    }

    static func key(_ name: String, indented indent: String) -> String { "\(indent)<key>\(escaped(name))</key>" }

    static func escaped(_ text: String) -> String {
        let text = PlainText.allowed(text)
        guard text.utf8.contains(where: { replacement($0) != nil }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            if let replacement = replacement(byte) {
                bytes += Array(replacement.utf8)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func replacement(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\r"): "&#13;"
        default: nil
        }
    }
}
