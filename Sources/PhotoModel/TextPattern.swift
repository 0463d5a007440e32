/// A text with placeholders for values: "{number} photos".
package struct TextPattern: Hashable, Sendable {
    /// A literal text, or a placeholder.
    package enum Piece: Hashable, Sendable {
        case text(String)
        /// A placeholder, by the name in its braces: "number", or ">since".
        case placeholder(String)
    }

    package let pieces: [Piece]

    static let empty = TextPattern(pieces: [])

    private init(pieces: [Piece]) { self.pieces = pieces }

    /// - Returns: nil if a brace is not closed, or the braces contain anything but a name.
    package init?(_ text: String) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let name = rest[rest.index(after: open)..<close]
            let letters = name.hasPrefix(">") ? name.dropFirst() : name
            guard !letters.isEmpty, letters.utf8.allSatisfy(Self.isNameByte) else { return nil }
            pieces.append(.placeholder(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        guard !rest.contains("}") else { return nil }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    /// Whether a byte is a letter, a digit, "-", "_" or ".".
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Returns the text with the values in place of the placeholders. Placeholders without a value are left out.
    package func filled(with values: [String: String]) -> String {
        pieces.reduce(into: "") { filled, piece in
            switch piece {
            case .text(let text): filled += text
            case .placeholder(let name): filled += values[name] ?? ""
            }
        }
    }

    /// The values with which this pattern gives the text.
    /// - Returns: nil if the text does not match the pattern.
    func values(in text: String) -> [String: String]? {
        var values: [String: String] = [:]
        var rest = text[...]
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let literal):
                guard rest.hasPrefix(literal) else { return nil }
                rest = rest.dropFirst(literal.count)
            case .placeholder(let name):
                guard index + 1 < pieces.count else {
                    values[name] = String(rest)
                    return values
                }
                guard case .text(let literal) = pieces[index + 1] else { return nil }
                // The last literal of the pattern is matched at the end of the text, even if a value contains it too.
                let isLast = index + 2 == pieces.count
                guard let end = isLast ? rest.lastStart(of: literal) : rest.firstStart(of: literal) else { return nil }
                values[name] = String(rest[..<end])
                rest = rest[end...]
            }
        }
        return rest.isEmpty ? values : nil
    }
}

extension Substring {
    fileprivate func firstStart(of part: String) -> Index? { firstRange(of: part)?.lowerBound }

    fileprivate func lastStart(of part: String) -> Index? {
        hasSuffix(part) ? index(endIndex, offsetBy: -part.count) : nil
    }
}
