/// The sources of settings of one gallery: command line, environment, and the settings file that these determine.
struct SettingSources {
    let layers: SettingLayers
    let manifests: ManifestArguments
    /// The absolute path of the settings file, whether it exists or not.
    let filePath: String
    /// The mistakes in the settings file that do not concern the value of a setting: the file can't be read, or has
    /// unknown entries.
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
            errors = layers.file?.errors ?? []
        } catch {
            errors = [error]
        }
        filePath = search.path(named)
        warnings = layers.file == nil && named == nil ? search.similarNames : []
        self.layers = layers
        // If the value is invalid, `removeWrongValues` reports it. All errors are then printed as text.
        if let format = try? layers.value(SettingsTable.table.messages.logFormat) { LogFormat.current = format }
    }
}
