/// A rendered page with gaps in place of its texts.
struct CompiledTemplate {
    private enum Piece {
        case literal([UInt8])
        /// The number of a text, in the order in which texts were asked for.
        case gap(Int)
    }

    /// Control characters that no template may contain; values cannot either, as Mustache sees none.
    static let opening: Unicode.Scalar = "\u{1}"
    private static let closing: Unicode.Scalar = "\u{2}"

    private let pieces: [Piece]

    /// The placeholder of a text in Mustache's output.
    static func gap(_ number: Int) -> String { "\(opening)\(number)\(closing)" }

    /// - Parameter output: What Mustache made, with its gaps.
    init(_ output: String) {
        var pieces: [Piece] = []
        for part in output.unicodeScalars.split(separator: Self.opening, omittingEmptySubsequences: false) {
            var literal = Substring(part)
            if let end = part.firstIndex(of: Self.closing), let number = Int(Substring(part[..<end])) {
                pieces.append(.gap(number))
                literal = Substring(part[part.index(after: end)...])
            }
            if !literal.isEmpty { pieces.append(.literal(Array(literal.utf8))) }
        }
        self.pieces = pieces
    }

    /// - Parameter texts: All that were asked for, in their order.
    func filled(with texts: [TemplateValue]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(1 << 13)
        for piece in pieces {
            switch piece {
            case .literal(let bytes): output.append(contentsOf: bytes)
            case .gap(let number):
                switch texts[number] {
                case .text(let text): EscapedText.append(text, to: &output)
                case .markup(let bytes): output.append(contentsOf: bytes)
                case .flag, .object, .list: break
                }
            }
        }
        return output
    }
}
