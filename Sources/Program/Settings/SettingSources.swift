/// The sources of settings of one gallery: command line, environment, and the settings file that these determine.
struct SettingSources {
    let layers: SettingLayers
    let manifests: ManifestArguments
    /// The absolute path of the settings file, whether it exists or not.
    let filePath: String
    /// The mistakes that do not concern the value of a setting: a file that can't be read, and unknown entries and
    /// variables.
    let errors: [SettingsError]
    /// Warnings about likely mistakes that don't prevent a build.
    let warnings: [String]

    init(_ given: GivenArguments, environment: ProcessEnvironment) {
        manifests = ManifestArguments(given.manifests, environment: environment)
        var layers = SettingLayers(flags: given.flags, environment: environment.variables)
        let search = SettingsFileSearch(environment: environment, manifests: manifests)
        var named: String?
        do throws(SettingsError) {
            named = try layers.value(SettingsTable.table.locations.config)
            layers.file = try search.find(named)
            errors = Self.misspelledVariables(environment.variables) + (layers.file?.errors ?? [])
        } catch {
            errors = Self.misspelledVariables(environment.variables) + [error]
        }
        filePath = search.path(named)
        warnings = layers.file == nil && named == nil ? search.similarNames : []
        self.layers = layers
        // If the value is invalid, `removeWrongValues` reports it. All errors are then printed as text.
        if let format = try? layers.value(SettingsTable.table.messages.logFormat) { LogFormat.current = format }
    }

    /// An error for each environment variable that is nearly a setting. Another unknown variable with the prefix can
    /// belong to a script of the user.
    private static func misspelledVariables(_ environment: [String: String]) -> [SettingsError] {
        let known = SettingsTable.entries.map(\.variable)
        return environment.filter { !$0.value.isEmpty }.keys.sorted().compactMap { variable in
            guard variable.hasPrefix(SettingName.prefix), !known.contains(variable),
                let nearest = NearestName.find(variable, in: known, after: SettingName.prefix)
            else { return nil }
            return SettingsError(
                origin: .environment, message: "unknown setting \(variable); did you mean \(nearest)?")
        }
    }
}
