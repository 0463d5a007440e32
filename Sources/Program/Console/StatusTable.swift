internal import PhotoModel
internal import Site

/// The table of `status`: a row for each photo, with its state, its name, and a note if it needs attention.
struct StatusTable {
    /// A photo with the facts that its row shows.
    struct Row {
        let photo: SitePhoto
        /// The address that the photo has moved to permanently; nil if it has not moved.
        let moved: String?

        var needsAttention: Bool { reason != nil || moved != nil || !photo.marks.isEmpty }

        fileprivate var reason: Reason? { photo.reason ?? photo.stale?.reason }

        /// The word of the first column, and whether it stands for a picture that is shown although something is wrong.
        fileprivate var state: (word: String, isWarning: Bool) {
            if photo.stale != nil { return ("stale", true) }
            if let mark = photo.foremostMark { return (mark.code.rawValue, true) }
            return (photo.state.rawValue, false)
        }

        fileprivate var name: String { TerminalText.text((photo.album + [photo.name]).joined(separator: " / ")) }

        /// The note: "File not found: … [missing-file]", "moved permanently to https://example.org/new.jpg", or both.
        fileprivate var note: String? {
            let marks = photo.marks.map { "\($0.code.rawValue) since \($0.since): \($0.message)" }
            let parts =
                [reason.map { "\($0.message) [\($0.code.rawValue)]" }].compactMap(\.self) + marks
                + [moved.map { "moved permanently to \($0)" }].compactMap(\.self)
            return parts.isEmpty ? nil : TerminalText.text(parts.joined(separator: "; "))
        }
    }

    /// The width of the terminal in columns; nil if nothing is cut.
    private let columns: Int?
    private let isColoured: Bool
    /// The width of the names that have a note next to them; nil if nothing is cut.
    private let nameWidth: Int?
    /// The width of the first column, which is that of the longest state and some spaces.
    private static let stateWidth = 12
    /// The smallest width of the names, on any terminal.
    private static let leastNameWidth = 10

    /// - Parameter rows: the rows of the table. They are iterated once, and only for a terminal.
    init(of rows: some Sequence<Row>, columns: Int?, isColoured: Bool) {
        self.columns = columns
        self.isColoured = isColoured
        nameWidth = columns.map { Self.nameWidth(rows, of: $0) }
    }

    /// A row with its line break, such as "failed      Animals / Two Dogs  File not found: … [missing-file]".
    func line(_ row: Row) -> String {
        let state = row.state
        let padded = TextWidth.padded(state.word, to: Self.stateWidth)
        let rest = rest(row) + "\n"
        guard isColoured, row.reason != nil || state.isWarning else { return padded + rest }
        return "\u{1B}[\(state.isWarning ? 33 : 31)m\(padded)\u{1B}[0m\(rest)"
    }

    private func rest(_ row: Row) -> String {
        let (name, note) = (row.name, row.note)
        guard let columns, let nameWidth else { return name + (note.map { "  " + $0 } ?? "") }
        let room = max(0, columns - Self.stateWidth)
        guard let note else { return TextWidth.shortened(name, to: room) }
        let shown = TextWidth.padded(TextWidth.shortened(name, to: nameWidth), to: nameWidth)
        return TextWidth.shortened(shown + "  " + note, to: room)
    }

    /// The width of the names that have a note next to them: at most half of the available width.
    private static func nameWidth(_ rows: some Sequence<Row>, of columns: Int) -> Int {
        let widths = rows.lazy.filter(\.needsAttention).map { TextWidth.columns(of: $0.name) }
        return min(widths.max() ?? 0, max(leastNameWidth, (columns - stateWidth) / 2 - 2))
    }
}
