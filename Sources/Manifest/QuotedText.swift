extension String {
    /// The text between quotes, as messages show what a manifest has: nothing in it can move the cursor of a terminal
    /// or turn the direction of the line, and it is cut after 60 characters.
    var quoted: String {
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(60) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default:
                shown.append(scalar)
            }
        }
        let isCut = unicodeScalars.dropFirst(60).first != nil
        return "'\(String(shown))\(isCut ? "…" : "")'"
    }
}
