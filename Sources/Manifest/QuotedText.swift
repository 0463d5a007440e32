extension String {
    /// The text in quotation marks, for messages that quote a manifest; cut after 60 characters.
    package var quoted: String {
        let isCut = unicodeScalars.dropFirst(60).first != nil
        return "'\(String(unicodeScalars.prefix(60)).printable)\(isCut ? "…" : "")'"
    }

    /// The text with all characters escaped that could move the cursor of a terminal or change the direction of a line.
    package var printable: String {
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default:
                shown.append(scalar)
            }
        }
        return String(shown)
    }
}
