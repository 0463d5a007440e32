/// The sources of settings. A flag takes precedence over the environment, and the environment over the settings file.
package struct SettingLayers {
    package var flags: [String: String] = [:]
    /// All variables of the environment.
    package var environment: [String: String] = [:]
    package var file: SettingsFile?

    package init(flags: [String: String] = [:], environment: [String: String] = [:], file: SettingsFile? = nil) {
        self.flags = flags
        self.environment = environment
        self.file = file
    }

    /// The text that one source has for a setting.
    package struct Entry {
        package let text: String
        package let origin: SettingsError.Origin
    }

    /// The value of a setting from the source with the highest precedence, or else its default.
    /// - Throws: `SettingsError` for an invalid value in any source, even if another source overrides it.
    package func value<Value>(_ setting: Setting<Value>) throws(SettingsError) -> Value {
        var result = setting.defaultValue
        for entry in entries(of: setting) {
            guard let value = setting.kind.parse(entry.text) else { throw setting.error(entry) }
            result = value
        }
        return result
    }

    /// The texts that the sources have for a setting. The last one takes precedence.
    package func entries(of setting: some SettingEntry) -> [Entry] {
        [
            file?.values[setting.name].map { Entry(text: $0.text, origin: .file($0.position)) },
            // An empty variable counts as not set, since scripts and units of systemd can't always unset one.
            environment[setting.variable].flatMap { $0.isEmpty ? nil : Entry(text: $0, origin: .environment) },
            flags[setting.name].map { Entry(text: $0, origin: .flag) },
        ].compactMap(\.self)
    }

    /// Whether the value of a setting comes from the settings file.
    func isFromFile(_ setting: some SettingEntry) -> Bool {
        if case .file = entries(of: setting).last?.origin { true } else { false }
    }

    /// Removes all invalid values, so that a command can continue and find the other mistakes of a gallery.
    /// - Returns: an error for each invalid value.
    mutating func removeWrongValues() -> [SettingsError] {
        var errors: [SettingsError] = []
        for setting in SettingsTable.entries {
            for error in setting.errors(in: self) {
                switch error.origin {
                case .file: file?.values[setting.name] = nil
                case .environment: environment[setting.variable] = nil
                case .flag, .missing, .standardInput: flags[setting.name] = nil
                }
                errors.append(error)
            }
        }
        return errors
    }
}

extension SettingEntry {
    /// The name of the setting in a source: "--per-page", "GALLERYGEN_PER_PAGE", "per-page".
    func name(at origin: SettingsError.Origin) -> String {
        switch origin {
        case .flag: "--" + name
        case .environment: variable
        case .file, .missing, .standardInput: name
        }
    }
}

extension Setting {
    package func errors(in layers: SettingLayers) -> [SettingsError] {
        layers.entries(of: self).filter { kind.parse($0.text) == nil }.map(error)
    }

    /// The error of an invalid value.
    fileprivate func error(_ entry: SettingLayers.Entry) -> SettingsError {
        let position =
            switch entry.origin {
            case .flag, .missing, .standardInput: ""
            case .environment: "environment variable "
            case .file(let position): "\(position): "
            }
        let problem = kind.explain(entry.text).map { " (\($0))" } ?? ""
        return SettingsError(
            origin: entry.origin,
            message:
                "\(position)\(name(at: entry.origin)): '\(entry.text)' is not allowed\(problem); expected \(allowed)")
    }
}
