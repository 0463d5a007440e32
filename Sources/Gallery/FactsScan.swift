internal import Imaging

/// Reads the facts of an original as the ledger has them, where they are written as every build writes them: a flat JSON object
/// of known keys, its texts without escapes. A build looks at those of all photos, and a decoder takes fifty times as long.
struct FactsScan {
    private(set) var edition: Int?
    private var format: OriginalFormat?
    private var width: Int?
    private var height: Int?
    private var hasTransparency: Bool?
    private var shot = ShotFacts()

    /// nil where something is missing.
    var facts: PictureFacts? {
        guard let format, let width, let height, let hasTransparency else { return nil }
        return PictureFacts(
            format: format, width: width, height: height, hasTransparency: hasTransparency, shot: shot)
    }

    /// - Returns: nil for anything that is not quite as it is written here; it may be right all the same.
    init?(_ json: String) {
        var rest = json.utf8[...]
        guard rest.take(UInt8(ascii: "{")) else { return nil }
        repeat {
            guard let key = rest.takeText(), rest.take(UInt8(ascii: ":")), take(key, from: &rest) else { return nil }
        } while rest.take(UInt8(ascii: ","))
        guard rest.take(UInt8(ascii: "}")), rest.isEmpty else { return nil }
    }

    private mutating func take(_ key: Substring, from rest: inout Substring.UTF8View) -> Bool {
        switch key {
        case "edition": edition = rest.takeNumber()
        case "width": width = rest.takeNumber()
        case "height": height = rest.takeNumber()
        case "hasTransparency": hasTransparency = rest.takeFlag()
        case "format": format = rest.takeText().flatMap { OriginalFormat(rawValue: String($0)) }
        case "taken": shot.taken = rest.takeText().map { String($0) }
        case "camera": shot.camera = rest.takeText().map { String($0) }
        case "lens": shot.lens = rest.takeText().map { String($0) }
        case "exposure": shot.exposure = rest.takeText().map { String($0) }
        default: return false
        }
        // A value of another kind was not taken, and is no comma.
        return rest.first == UInt8(ascii: ",") || rest.first == UInt8(ascii: "}")
    }
}

extension Substring.UTF8View {
    fileprivate mutating func take(_ byte: UInt8) -> Bool {
        guard first == byte else { return false }
        removeFirst()
        return true
    }

    /// A text in quotation marks that has no escapes.
    fileprivate mutating func takeText() -> Substring? {
        guard first == UInt8(ascii: "\"") else { return nil }
        let inside = dropFirst()
        guard let end = inside.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            inside[end] == UInt8(ascii: "\"")
        else { return nil }
        self = inside[inside.index(after: end)...]
        return Substring(inside[..<end])
    }

    fileprivate mutating func takeNumber() -> Int? {
        let digits = prefix { (48...57).contains($0) }
        guard let number = Int(Substring(digits)) else { return nil }
        self = self[digits.endIndex...]
        return number
    }

    fileprivate mutating func takeFlag() -> Bool? {
        for (word, value) in [("true", true), ("false", false)] where starts(with: word.utf8) {
            removeFirst(word.utf8.count)
            return value
        }
        return nil
    }
}
