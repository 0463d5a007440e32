internal import Foundation
internal import Manifest

/// The text of a property list with the positions of its elements, so that it can be changed in some places and stays
/// unchanged in all others. `ManifestReader` must have read the list before, so its XML is well-formed.
struct PropertyListText {
    /// A value of the property list.
    final class Element {
        let name: String
        /// The range from the first byte of its start tag to the last byte of its end tag.
        fileprivate(set) var range: Range<Int>
        /// The offset at which its content ends; nil for an element without an end tag (`<array/>`).
        fileprivate(set) var contentEnd: Int?
        /// The text between its tags, with entities resolved. Only elements that contain text have it.
        fileprivate(set) var text = ""
        fileprivate(set) var members: [Member] = []

        fileprivate init(_ name: String, at start: Int) {
            self.name = name
            range = start..<start
        }

        var isDict: Bool { name == "dict" }

        /// The elements with the addresses of a photo; nil for an album.
        var addresses: [Element]? {
            if name == "string" { return [self] }
            // As in `EntryReader`, the first key that is there has the addresses, whatever its value is.
            let values = EntryKey.addresses.lazy.compactMap { key in
                self.members.first { $0.key == key.rawValue }?.value
            }
            guard let first = values.first else { return nil }
            return (first.name == "array" ? first.members.map(\.value) : [first]).filter { $0.name == "string" }
        }
    }

    /// A value in a dict or an array, and its key if it is in a dict.
    struct Member {
        let key: String?
        /// The offset at which the key starts, or the value if there is no key.
        let start: Int
        let value: Element

        /// The name of a photo; nil if it is named after its file.
        var name: String? { value.members.first { $0.key == EntryKey.name.rawValue }?.value.text ?? key }
    }

    let bytes: [UInt8]
    private(set) var root: Element?
    private(set) var comments: [Range<Int>] = []
    /// The offset at which the end tag of `plist` starts.
    private(set) var end: Int

    /// The comments by their start, and by their end.
    private var commentsByStart: [Int: Range<Int>] = [:]
    private var commentsByEnd: [Int: Range<Int>] = [:]

    private var stack: [Element] = []
    private var pendingKeys: [(key: String, start: Int)?] = []

    /// - Parameter bytes: the list in UTF-8.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
        read()
    }

    func comment(endingAt end: Int) -> Range<Int>? { commentsByEnd[end] }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Whether a list is in UTF-8, by its bytes and by its XML declaration. A list in ASCII that declares ISO-8859-1
    /// would not be read as UTF-8 after a change. UTF-16 can look like UTF-8 with NULs, which XML does not allow.
    static func isUTF8(_ bytes: [UInt8]) -> Bool {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return false }
        let declaration = text.prefix { $0 != ">" }
        guard declaration.contains("<?xml"), let name = declaration.firstRange(of: "encoding") else { return true }
        let value = declaration[name.upperBound...].drop { $0.isWhitespace || "=\"'".contains($0) }
        return ["utf-8", "utf8"].contains(value.prefix { !"\"'".contains($0) }.lowercased())
    }

    /// The white space before `offset` on its line; nil if there is anything else.
    func indentation(at offset: Int) -> String? {
        let start = bytes[..<offset].lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
        guard start == 0 || bytes[start - 1] == UInt8(ascii: "\n") else { return nil }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// The end of the line on which an element ends, if only comments follow the element there, since these belong to
    /// it; otherwise `offset`.
    func endOfLine(after offset: Int) -> Int {
        var index = offset
        while index < bytes.count {
            if bytes[index] == 0x20 || bytes[index] == 0x09 {
                index += 1
            } else if bytes[index] == UInt8(ascii: "<"), let comment = commentsByStart[index],
                !bytes[comment].contains(UInt8(ascii: "\n"))
            {
                index = comment.upperBound
            } else {
                break
            }
        }
        let isEnd = index == bytes.count || bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r")
        return isEnd ? index : offset
    }

    /// The start of the comments before an element, if there are any, since these belong to it; otherwise `offset`. A
    /// comment above a blank line, or on the line of what is before, does not belong to it.
    func startOfComments(before offset: Int) -> Int {
        var starts = [offset]
        while let start = starts.last {
            let end = bytes[..<start].lastIndex { !WhiteSpace.contains($0) }.map { $0 + 1 } ?? 0
            guard bytes[end..<start].count(where: { $0 == UInt8(ascii: "\n") }) < 2 else { break }
            guard let comment = commentsByEnd[end] else {
                let other = endOfLine(after: end)
                return starts.last { $0 >= other } ?? offset
            }
            starts.append(comment.lowerBound)
        }
        return starts.last ?? offset
    }

    private mutating func read() {
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                add(Self.resolved(string(index..<next)))
                index = next
                continue
            }
            if starts("<!--", at: index) {
                let next = after("-->", from: index + 4)
                comments.append(index..<next)
                commentsByStart[index] = index..<next
                commentsByEnd[next] = index..<next
                index = next
            } else if starts("<![CDATA[", at: index) {
                let next = after("]]>", from: index)
                add(string(index + 9..<max(index + 9, next - 3)))
                index = next
            } else if starts("<?", at: index) {
                index = after("?>", from: index)
            } else if starts("<!", at: index) {
                index = afterDoctype(from: index)
            } else {
                index = readTag(at: index)
            }
        }
    }

    private mutating func readTag(at start: Int) -> Int {
        let next = afterTag(from: start)
        let isEnd = starts("</", at: start)
        let name = string(start + (isEnd ? 2 : 1)..<next).prefix {
            !$0.isWhitespace && $0 != ">" && $0 != "/"
        }
        if isEnd {
            if name == "plist" { end = start } else { close(at: start, next) }
        } else if name != "plist" {
            stack.append(Element(String(name), at: start))
            pendingKeys.append(nil)
            if bytes[next - 2] == UInt8(ascii: "/") { close(at: nil, next) }
        }
        return next
    }

    private mutating func close(at contentEnd: Int?, _ next: Int) {
        guard let element = stack.popLast() else { return }
        pendingKeys.removeLast()
        element.contentEnd = contentEnd
        element.range = element.range.lowerBound..<next
        guard let parent = stack.last else {
            root = element
            return
        }
        if element.name == "key" {
            pendingKeys[pendingKeys.count - 1] = (WhiteSpace.collapsed(element.text), element.range.lowerBound)
        } else {
            let key = pendingKeys[pendingKeys.count - 1]
            parent.members.append(
                Member(key: key?.key, start: key?.start ?? element.range.lowerBound, value: element))
            pendingKeys[pendingKeys.count - 1] = nil
        }
    }

    private func add(_ text: String) {
        guard let element = stack.last, element.name != "dict", element.name != "array" else { return }
        element.text += text
    }

    private func starts(_ text: StaticString, at index: Int) -> Bool {
        // This is safe because a constant string is never freed, and the length is its own.
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return self.bytes[index...].starts(with: bytes)
    }

    private func after(_ text: String, from index: Int) -> Int {
        let mark = Array(text.utf8)
        var index = index
        while index < bytes.count {
            guard let first = bytes[index...].firstIndex(of: mark[0]) else { return bytes.count }
            if bytes[first...].starts(with: mark) { return first + mark.count }
            index = first + 1
        }
        return bytes.count
    }

    /// The offset after a tag. A `>` in the value of an attribute does not end the tag.
    private func afterTag(from start: Int) -> Int {
        var quote: UInt8?
        for index in start..<bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
        }
        return bytes.count
    }

    /// The offset after a DOCTYPE. It can contain declarations in brackets, and these can contain quoted texts.
    private func afterDoctype(from start: Int) -> Int {
        var index = start
        var depth = 0
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if starts("<!--", at: index) {
                index = after("-->", from: index + 4)
                continue
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "<") {
                depth += 1
            } else if byte == UInt8(ascii: ">") {
                depth -= 1
                if depth == 0 { return index + 1 }
            }
            index += 1
        }
        return bytes.count
    }

    /// The text with the five predefined entities of XML and with characters by number resolved. Any other entity stays
    /// as it is written.
    private static func resolved(_ text: String) -> String {
        guard text.contains("&") else { return text }
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            guard let end = rest.firstIndex(of: ";") else {
                result += "&"
                continue
            }
            let name = rest[..<end]
            let digits = name.dropFirst()
            let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            if let character = names[String(name)] {
                result += character
            } else if name.hasPrefix("#"), let scalar = number.flatMap(Unicode.Scalar.init) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "&\(name);"
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
