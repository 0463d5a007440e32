internal import Ledger
internal import Site

extension PublishedPicture {
    /// Widths and heights in pixels.
    static let sides = 1...1_000_000

    /// Whether a build can have made the picture. Names of pictures become paths, colours become parts of pages, and
    /// arithmetic with numbers out of range would end the program.
    var isPlausible: Bool {
        SitePath.isPicture(fileName) && bytes > 0 && Self.sides.contains(width) && Self.sides.contains(height)
            && colour.map(Self.isColour) ?? true
    }

    /// "#rrggbb" or "transparent".
    private static func isColour(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        let isHex =
            text.utf8.first == UInt8(ascii: "#") && digits.count == 6
            && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        return isHex || text == "transparent"
    }
}
