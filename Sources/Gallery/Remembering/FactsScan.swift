internal import Imaging

/// Reads the facts of an original as the ledger has them, where they are written as every build writes them: a flat
/// JSON object of known keys, its texts without escapes. A build looks at those of all photos, and a decoder takes
/// fifty times as long.
struct FactsScan {
    private(set) var edition: Int?
    private var format: OriginalFormat?
    private var width: Int?
    private var height: Int?
    private var hasTransparency: Bool?
    private var shot = CaptureMetadata()

    /// nil where something is missing.
    var facts: ImageMetadata? {
        guard let format, let width, let height, let hasTransparency else { return nil }
        return ImageMetadata(
            format: format, width: width, height: height, hasTransparency: hasTransparency, shot: shot)
    }

    /// - Returns: nil for anything that is not quite as it is written here; it may be right all the same.
    init?(_ json: String) {
        var json = json
        // The bytes are read while the text lends them; what is kept is copied.
        guard let scan = json.withUTF8({ FactsScan($0[...]) }) else { return nil }
        self = scan
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private init?(_ json: Bytes) {
        var rest = json
        guard rest.take(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let key = rest.takeText(), rest.take(UInt8(ascii: ":")), take(key, from: &rest) else { return nil }
        } while rest.take(UInt8(ascii: ","))
        guard rest.take(UInt8(ascii: "}")), rest.isEmpty else { return nil }
    }

    private mutating func take(_ key: Bytes, from rest: inout Bytes) -> Bool {
        if key.spells("edition") {
            edition = rest.takeNumber()
        } else if key.spells("width") {
            width = rest.takeNumber()
        } else if key.spells("height") {
            height = rest.takeNumber()
        } else if key.spells("hasTransparency") {
            hasTransparency = rest.takeFlag()
        } else if key.spells("format") {
            format = rest.takeString().flatMap { OriginalFormat(rawValue: $0) }
        } else if key.spells("taken") {
            shot.taken = rest.takeString()
        } else if key.spells("camera") {
            shot.camera = rest.takeString()
        } else if key.spells("lens") {
            shot.lens = rest.takeString()
        } else if key.spells("exposure") {
            shot.exposure = rest.takeString()
        } else {
            return false
        }
        // A value of another kind was not taken, and is no comma.
        return rest.first == UInt8(ascii: ",") || rest.first == UInt8(ascii: "}")
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    fileprivate func spells(_ word: StaticString) -> Bool {
        // A static string's storage lives as long as the program.
        count == word.utf8CodeUnitCount && elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
    }

    fileprivate mutating func take(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }

    /// A text in quotation marks that has no escapes.
    fileprivate mutating func takeText() -> Self? {
        guard first == UInt8(ascii: "\"") else { return nil }
        let inside = dropFirst()
        guard let end = inside.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            inside[end] == UInt8(ascii: "\"")
        else { return nil }
        self = inside[inside.index(after: end)...]
        return inside[..<end]
    }

    fileprivate mutating func takeString() -> String? { takeText().map { String(decoding: $0, as: UTF8.self) } }

    fileprivate mutating func takeNumber() -> Int? {
        let digits = prefix { (48...57).contains($0) }
        guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        self = self[digits.endIndex...]
        return number
    }

    fileprivate mutating func takeFlag() -> Bool? {
        for (word, value): (StaticString, Bool) in [("true", true), ("false", false)] {
            let start = prefix(word.utf8CodeUnitCount)
            guard start.spells(word) else { continue }
            self = self[start.endIndex...]
            return value
        }
        return nil
    }
}
