internal import Foundation

/// The filter chain as a line of a settings file.
struct FilterSetting {
    private let chain: String

    /// - Parameter chain: a chain as `FilterChain` describes it, which needs no quotation marks in YAML.
    init(_ chain: String) { self.chain = chain }

    /// Writes the chain into a settings file. All other lines stay as they are. A missing file is created.
    /// - Throws: `CommandFailure` if the file can't be read or written, or if the edited file would not have this
    ///   chain and the other settings. The file stays as it was then.
    func save(in path: String) throws(CommandFailure) {
        let name = (path as NSString).lastPathComponent
        var text = ""
        if FileManager.default.fileExists(atPath: path) {
            guard let read = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) else {
                throw CommandFailure(.inputOutput, "\(name) can't be read, or is not in UTF-8")
            }
            text = read
        }
        let edited = edited(text)
        guard isSound(edited, insteadOf: text) else {
            throw CommandFailure(
                .settingsInvalid, "\(name) has a form that can't be edited here; write 'filter: \(chain)' into it")
        }
        try UserFileReplacement.replace(path, shown: name, with: Array(edited.utf8), canCreate: true)
    }

    /// Whether a text has this chain, and otherwise the settings of another text.
    func isSound(_ edited: String, insteadOf text: String) -> Bool {
        guard let before = Self.values(text), var after = Self.values(edited) else { return false }
        var expected = before
        expected["filter"] = chain
        after["filter"] = after["filter"] ?? ""
        return after == expected
    }

    /// The settings of a file; nil if it can't be read.
    private static func values(_ text: String) -> [String: String]? {
        try? SettingsFile(text, name: "", known: SettingsTable.namesInFile).values.mapValues(\.text)
    }

    /// The text of a settings file with this chain in place of the one that it has.
    func edited(_ text: String) -> String {
        var lines = Self.lines(text)
        // The lines of the file end alike.
        let end = lines.first { !$0.end.isEmpty }?.end ?? "\n"
        var line = Line(text: "filter: \(chain)", end: end)
        guard let place = lines.firstIndex(where: { $0.text.wholeMatch(of: Self.entry) != nil }) else {
            if let last = lines.indices.last, lines[last].end.isEmpty { lines[last].end = end }
            return (lines + [line]).map { $0.text + $0.end }.joined()
        }
        if let comment = lines[place].text.wholeMatch(of: Self.comment)?.output.1 { line.text += comment }
        if lines[place].text.hasPrefix(Self.mark) { line.text = Self.mark + line.text }
        let next = Self.end(ofValueAt: place, in: lines)
        line.end = lines[next - 1].end
        lines.replaceSubrange(place..<next, with: [line])
        return lines.map { $0.text + $0.end }.joined()
    }

    /// The byte order mark that some editors put at the beginning.
    private static let mark = "\u{FEFF}"
    private static var entry: some RegexComponent { /\u{FEFF}?["']?filter["']?\s*:(\s.*)?/ }
    /// A value and the comment after it. A "#" within quotation marks begins none.
    private static var comment: Regex<(Substring, Substring)> {
        /[^:]*:\s*(?:"[^"]*"|'[^']*'|[^#"']*?)(\s+#.*)/
    }

    /// A value can go on in indented lines, in list items, and in empty lines and comments between them.
    /// - Returns: the index after the last line of the value.
    private static func end(ofValueAt place: Int, in lines: [Line]) -> Int {
        var end = place + 1
        for index in lines.indices.dropFirst(end) {
            let text = lines[index].text
            let first = text.first { !$0.isWhitespace }
            if first == nil || first == "#" { continue }
            guard text.hasPrefix(" ") || text.hasPrefix("\t") || text.hasPrefix("- ") else { break }
            end = index + 1
        }
        return end
    }

    private struct Line {
        var text: String
        /// "\n", "\r\n" or "\r"; empty if the text ends without a line break.
        var end: String
    }

    private static func lines(_ text: String) -> [Line] {
        var lines: [Line] = []
        var start = text.startIndex
        // "\r\n" is one character.
        for index in text.indices where ["\n", "\r\n", "\r"].contains(text[index]) {
            lines.append(Line(text: String(text[start..<index]), end: String(text[index])))
            start = text.index(after: index)
        }
        if start < text.endIndex { lines.append(Line(text: String(text[start...]), end: "")) }
        return lines
    }
}
