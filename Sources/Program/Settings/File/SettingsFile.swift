internal import Yams

/// A settings file: YAML with the names of the options as keys. Each value keeps its position for messages.
package struct SettingsFile {
    package struct Value {
        /// The value as written. The elements of a list are joined by commas.
        package let text: String
        /// The position of the name, such as "gallery.yaml:3:9".
        package let position: String
    }

    package var values: [String: Value]
    package let headers: HeaderSettings
    /// Mistakes in single entries. Such an entry sets nothing.
    package let errors: [SettingsError]
    /// The folder that relative paths in the file are resolved against; nil for a text that was not read from a file.
    package var folder: String?

    /// - Parameters:
    ///   - name: the name of the file for messages.
    ///   - known: the names of the settings that a file can have.
    /// - Throws: `SettingsError` for a file that is not a mapping of settings, for example because its YAML is invalid.
    ///   Other mistakes are in `errors`: an unknown setting, and a value that is neither a scalar nor a list.
    package init(_ text: String, name: String, known: [String]) throws(SettingsError) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw SettingsError(origin: .file(name), message: "\(name):\(Self.message(error, in: text))")
        }
        // A file that is empty or has only comments sets nothing.
        guard let root, root.null == nil else {
            values = [:]
            headers = HeaderSettings()
            errors = []
            return
        }
        guard let mapping = root.mapping else {
            throw SettingsError(
                origin: .file(name), message: "\(name): expected one setting per line, such as 'per-page: 30'")
        }
        var values: [String: Value] = [:]
        var headers = HeaderSettings()
        var errors: [SettingsError] = []
        for (key, node) in mapping {
            let position = Self.position(key, in: name)
            do throws(SettingsError) {
                if key.string == HeaderSettings.name {
                    headers = try HeaderSettings(node) { Self.position($0, in: name) }
                } else if let setting = key.string, known.contains(setting) {
                    values[setting] = Value(text: try Self.text(node, of: setting, at: position), position: position)
                } else {
                    throw Self.unknown(key.string ?? "this", at: position, known: known)
                }
            } catch {
                errors.append(error)
            }
        }
        self.values = values
        self.headers = headers
        self.errors = errors
    }

    private static func unknown(_ name: String, at position: String, known: [String]) -> SettingsError {
        let nearest = NearestName.find(name, in: known + [HeaderSettings.name])
        let advice =
            nearest.map { "did you mean '\($0)'?" }
            ?? "the settings are \(known.joined(separator: ", ")) and \(HeaderSettings.name)"
        return SettingsError(
            origin: .file(position), message: "\(position): unknown setting '\(name)'; \(advice)")
    }

    private static func text(_ node: Node, of setting: String, at position: String) throws(SettingsError) -> String {
        if let scalar = node.scalar { return scalar.string }
        if let elements = node.sequence?.compactMap(\.scalar?.string), elements.count == node.sequence?.count {
            return elements.joined(separator: ",")
        }
        throw SettingsError(
            origin: .file(position), message: "\(position): '\(setting)' must be a value or a list of values")
    }

    private static func position(_ node: Node, in name: String) -> String {
        node.mark.map { "\(name):\($0.line):\($0.column)" } ?? name
    }

    /// The part of a message after the name of the file, such as "3:9: found unexpected ':'".
    private static func message(_ error: any Error, in text: String) -> String {
        guard let error = error as? YamlError else { return " \(error)" }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            let advice = problem.hasPrefix("mapping values") ? "; put a text with ': ' in quotes" : ""
            return "\(mark.line):\(mark.column): \(problem)\(advice)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            // Yams knows only the position at which the mapping begins.
            let line = duplicates.first.flatMap { lastLine(of: $0, in: text) } ?? context.mark.line
            return "\(line): given twice: \(duplicates.joined(separator: ", "))"
        default: return " \(error)"
        }
    }

    /// The number of the last line that begins with this key.
    private static func lastLine(of key: String, in text: String) -> Int? {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).lastIndex { $0.hasPrefix(key + ":") }
            .map { $0 + 1 }
    }
}
