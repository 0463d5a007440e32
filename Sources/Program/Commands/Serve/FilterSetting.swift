internal import Foundation

/// The filter chain as a line of a settings file.
struct FilterSetting {
    private let chain: String

    /// - Parameter chain: a chain as `FilterChain` describes it, which needs no quotation marks in YAML.
    init(_ chain: String) { self.chain = chain }

    /// Writes the chain into a settings file. All other lines stay as they are. A missing file is created.
    func save(in path: String) throws {
        let url = URL(fileURLWithPath: path)
        let exists = FileManager.default.fileExists(atPath: path)
        let text = exists ? try String(contentsOf: url, encoding: .utf8) : ""
        // A link stays one: its target is replaced.
        let target = url.resolvingSymlinksInPath()
        let attributes = exists ? try FileManager.default.attributesOfItem(atPath: target.path) : [:]
        try Data(edited(text).utf8).write(to: target, options: .atomic)
        if let mode = attributes[.posixPermissions] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: target.path)
        }
    }

    /// The text of a settings file with this chain in place of the one that it has.
    func edited(_ text: String) -> String {
        let line = "filter: \(chain)"
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let place = lines.firstIndex(where: { $0.wholeMatch(of: Self.entry) != nil }) else {
            if lines.last == "" { lines.removeLast() }
            return (lines + [line, ""]).joined(separator: "\n")
        }
        let comment = lines[place].firstMatch(of: /\s+#.*$/).map { String($0.output) } ?? ""
        // A value can go on in indented lines.
        let rest = lines[(place + 1)...].prefix { $0.hasPrefix(" ") || $0.hasPrefix("\t") }
        lines.replaceSubrange(place...(place + rest.count), with: [line + comment])
        return lines.joined(separator: "\n")
    }

    private static var entry: some RegexComponent { /["']?filter["']?\s*:.*/ }
}
