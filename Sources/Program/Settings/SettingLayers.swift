/// The sources of settings, in order of precedence: flag, environment, settings file.
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

    /// The value of a setting from the first layer that has it, else its default.
    /// - Throws: `SettingsError` for a bad value in any layer, also in one that a higher layer overrides.
    package func value<Value>(_ setting: Setting<Value>) throws(SettingsError) -> Value {
        var result = setting.defaultValue
        if let (text, position) = file?.values[setting.name].map({ ($0.text, $0.position) }) {
            result = try parse(setting, text, called: setting.name, at: .file(position))
        }
        if let text = environment[setting.variable] {
            result = try parse(setting, text, called: setting.variable, at: .environment)
        }
        if let text = flags[setting.name] {
            result = try parse(setting, text, called: "--" + setting.name, at: .flag)
        }
        return result
    }

    /// Whether the value of a setting comes from the settings file.
    func isFromFile(_ setting: some SettingEntry) -> Bool {
        flags[setting.name] == nil && environment[setting.variable] == nil && file?.values[setting.name] != nil
    }

    private func parse<Value>(
        _ setting: Setting<Value>, _ text: String, called name: String, at place: SettingsError.Place
    ) throws(SettingsError) -> Value {
        if let value = setting.kind.parse(text) { return value }
        let stands =
            switch place {
            case .flag, .missing, .standardInput: ""
            case .environment: "environment variable "
            case .file(let position): "\(position): "
            }
        let problem = setting.kind.explain(text).map { " (\($0))" } ?? ""
        throw SettingsError(
            place: place,
            message: "\(stands)\(name): '\(text)' is not allowed\(problem); expected \(setting.allowed)")
    }
}
