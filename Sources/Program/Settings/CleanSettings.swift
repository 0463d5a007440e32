internal import Gallery

/// What `clean` works with: flags, environment and settings file, resolved as for a build.
struct CleanSettings {
    let output: String
    let state: StateFolder
    let holder: String
    let console: Console
    private let surroundings: Surroundings

    init(_ flags: CleanFlags) throws(SettingsError) {
        let surroundings = try Surroundings.read()
        self.surroundings = surroundings
        let manifests = ManifestArguments(flags.manifests, surroundings: surroundings)
        let file = try SettingsFileSearch(surroundings: surroundings, manifests: manifests).find(
            flags.config ?? surroundings.environment[SettingName.variable("config")])
        let layers = SettingLayers(flags: flags.texts, environment: surroundings.environment, file: file)
        let paths = try GalleryPaths(layers: layers, file: file, surroundings: surroundings, manifests: manifests)
        output = paths.output
        state = StateFolder(path: paths.state)
        holder = surroundings.lockHolder
        console = Console(
            verbosity: try layers.verbosity(), colour: try layers.value(BuildSettings.color) ?? .auto,
            environment: surroundings.environment)
    }

    /// What a path or URL on the command line may name.
    func name(_ text: String) -> GalleryForgetting.Name {
        let path = surroundings.absolute(text)
        let manifest: ManifestInput =
            ManifestArguments.isURL(text) ? .remote(url: text) : .file(path: path, shown: text)
        return GalleryForgetting.Name(text: text, manifest: manifest, path: path)
    }
}
