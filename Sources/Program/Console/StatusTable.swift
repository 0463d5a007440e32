internal import PhotoModel
internal import Site

/// The table of `status`: a row for each photo, with its state, its name, and the reason if it needs attention.
struct StatusTable {
    /// The width of the terminal; nil to cut nothing.
    private let columns: Int?
    private let isColoured: Bool
    /// The width of the names that have a reason beside them; nil to cut nothing.
    private let nameWidth: Int?
    /// The width of the first column, which holds the longest state and spaces.
    private static let stateWidth = 12
    /// The width that a name has on any terminal.
    private static let leastNameWidth = 10

    /// - Parameter photos: those of the table; they are gone through once, and only for a terminal.
    init(for photos: some Sequence<SitePhoto>, columns: Int?, isColoured: Bool) {
        self.columns = columns
        self.isColoured = isColoured
        nameWidth = columns.map { Self.nameWidth(photos, of: $0) }
    }

    /// A row with its line break: "failed      Animals / Two Dogs  File not found: … [missing-file]".
    func row(_ photo: SitePhoto) -> String {
        let state = photo.stale == nil ? photo.state.rawValue : "stale"
        let padded = TextWidth.padded(state, to: Self.stateWidth)
        let rest = rest(photo) + "\n"
        guard isColoured, Self.reason(photo) != nil else { return padded + rest }
        return "\u{1B}[\(photo.stale == nil ? 31 : 33)m\(padded)\u{1B}[0m\(rest)"
    }

    private func rest(_ photo: SitePhoto) -> String {
        let name = Self.name(photo)
        let reason = Self.reason(photo).map { TerminalText.text("\($0.message) [\($0.code.rawValue)]") }
        guard let columns, let nameWidth else { return name + (reason.map { "  " + $0 } ?? "") }
        let room = max(0, columns - Self.stateWidth)
        guard let reason else { return TextWidth.shortened(name, to: room) }
        let shown = TextWidth.padded(TextWidth.shortened(name, to: nameWidth), to: nameWidth)
        return TextWidth.shortened(shown + "  " + reason, to: room)
    }

    /// Names with a reason beside them get half of the room at most.
    private static func nameWidth(_ photos: some Sequence<SitePhoto>, of columns: Int) -> Int {
        let widths = photos.lazy.filter { reason($0) != nil }.map { TextWidth.columns(of: name($0)) }
        return min(widths.max() ?? 0, max(leastNameWidth, (columns - stateWidth) / 2 - 2))
    }

    private static func name(_ photo: SitePhoto) -> String {
        TerminalText.text((photo.album + [photo.name]).joined(separator: " / "))
    }

    static func reason(_ photo: SitePhoto) -> Reason? { photo.reason ?? photo.stale?.reason }
}
