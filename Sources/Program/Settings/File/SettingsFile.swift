internal import Yams

/// A settings file: YAML under the names of the options. Each value keeps its position for messages.
package struct SettingsFile {
    package struct Value {
        /// The value as written; the elements of a list are joined by commas.
        package let text: String
        /// The place of the name: "gallery.yaml:3:9".
        package let position: String
    }

    package let values: [String: Value]
    package let headers: HeaderSettings
    /// The folder that relative paths in the file start from; nil for a text that was not read from a file.
    package var folder: String?

    /// - Parameters:
    ///   - name: the name of the file for messages.
    ///   - known: the names of the settings that a file may have.
    /// - Throws: `SettingsError` for broken YAML, an unknown setting, or a value that is neither a scalar nor a list.
    package init(_ text: String, name: String, known: [String]) throws(SettingsError) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw SettingsError(place: .file(name), message: "\(name): \(Self.words(error))")
        }
        // An empty file, or one of comments, sets nothing.
        guard let root, root.null == nil else {
            values = [:]
            headers = HeaderSettings()
            return
        }
        guard let mapping = root.mapping else {
            throw SettingsError(
                place: .file(name), message: "\(name): expected one setting per line, such as 'per-page: 30'")
        }
        var values: [String: Value] = [:]
        var headers = HeaderSettings()
        for (key, node) in mapping {
            let position = Self.position(key, in: name)
            if key.string == HeaderSettings.name {
                headers = try HeaderSettings(node) { Self.position($0, in: name) }
                continue
            }
            guard let setting = key.string, known.contains(setting) else {
                let called = key.string ?? "this"
                let nearest =
                    NearestName.find(called, in: known + [HeaderSettings.name]).map { "did you mean '\($0)'? " } ?? ""
                throw SettingsError(
                    place: .file(position),
                    message:
                        "\(position): unknown setting '\(called)'; \(nearest)The settings are "
                        + "\(known.joined(separator: ", ")) and \(HeaderSettings.name)"
                )
            }
            values[setting] = Value(text: try Self.text(node, of: setting, at: position), position: position)
        }
        self.values = values
        self.headers = headers
    }

    private static func text(_ node: Node, of setting: String, at position: String) throws(SettingsError) -> String {
        if let scalar = node.scalar { return scalar.string }
        if let elements = node.sequence?.compactMap(\.scalar?.string), elements.count == node.sequence?.count {
            return elements.joined(separator: ",")
        }
        throw SettingsError(
            place: .file(position), message: "\(position): '\(setting)' must be a value or a list of values")
    }

    private static func position(_ node: Node, in name: String) -> String {
        node.mark.map { "\(name):\($0.line):\($0.column)" } ?? name
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? YamlError else { return String(describing: error) }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return "\(mark.line):\(mark.column): \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            return "\(context.mark.line): given twice: \(duplicates.joined(separator: ", "))"
        default: return String(describing: error)
        }
    }
}
