/// The sources of settings of one gallery: command line, environment, and the settings file that these name.
struct SettingSources {
    let layers: SettingLayers
    let manifests: ManifestArguments
    /// The absolute path of the settings file, whether it exists or not.
    let filePath: String

    init(_ given: GivenArguments, environment: ProcessEnvironment) throws(SettingsError) {
        manifests = ManifestArguments(given.manifests, environment: environment)
        var layers = SettingLayers(flags: given.flags, environment: environment.variables)
        let search = SettingsFileSearch(environment: environment, manifests: manifests)
        let named = try layers.value(SettingsTable.table.locations.config)
        filePath = search.path(named)
        layers.file = try search.find(named)
        self.layers = layers
    }
}
