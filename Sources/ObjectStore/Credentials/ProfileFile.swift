internal import Foundation

/// A configuration file of the AWS tools, which has sections in brackets with lines of "name = value".
struct ProfileFile {
    private var sections: [String: [String: String]] = [:]

    /// - Parameter path: the path of the file; nil for no file. A file that can't be read counts as empty.
    init(path: String?) {
        guard let path, let data = FileManager.default.contents(atPath: path) else { return }
        var section = ""
        for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("#") || text.hasPrefix(";") { continue }
            if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
                section = text[text.index(after: text.startIndex)..<end].trimmingCharacters(in: .whitespaces)
            } else if let equals = text.firstIndex(of: "="), line.first?.isWhitespace == false {
                // Indented lines belong to nested settings, which are not used.
                let name = text[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
                sections[section, default: [:]][name] = text[text.index(after: equals)...]
                    .trimmingCharacters(in: .whitespaces)
            }
        }
    }

    subscript(section: String) -> [String: String] { sections[section] ?? [:] }
}
