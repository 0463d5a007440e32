/// Makes text from manifests, servers and files safe for a terminal: nothing in it moves the cursor, changes colours,
/// or reverses the direction of the text that follows (Unicode TR #36).
enum TerminalText {
    static func text(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(isHarmless(scalar) ? scalar : "\u{FFFD}") }
        return String(scalars)
    }

    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        // The joiners shape letters and emoji; all other format characters are invisible or change directions.
        if scalar == "\n" || scalar == "\u{200C}" || scalar == "\u{200D}" { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
    }
}
