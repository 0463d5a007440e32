internal import Gallery

/// The settings of `clean`: flags, environment and settings file, resolved as for a build.
struct CleanSettings {
    let output: String
    let state: StateFolder
    let holder: String
    let console: Console
    /// The manifests on the command line.
    let manifests: [ManifestInput]
    private let environment: ProcessEnvironment

    init(_ given: GivenArguments) throws(SettingsError) {
        let environment = try ProcessEnvironment.read()
        self.environment = environment
        let sources = SettingSources(given, environment: environment)
        if let error = sources.errors.first { throw error }
        let layers = sources.layers
        let paths = try GalleryPaths(layers: layers, environment: environment, manifests: sources.manifests)
        manifests = given.manifests.isEmpty ? [] : try sources.manifests.inputs { [] }
        output = paths.output
        state = StateFolder(path: paths.state)
        holder = environment.lockHolder
        console = Console(
            verbosity: try layers.verbosity(), colour: try layers.value(SettingsTable.table.messages.color),
            environment: environment.variables)
    }

    /// The galleries that a path or URL on the command line might refer to.
    func name(_ text: String) -> GalleryForgetting.Name {
        let path = environment.absolute(text)
        let manifest: ManifestInput =
            ManifestArguments.isURL(text) ? .remote(url: text) : .file(path: path, shown: text)
        return GalleryForgetting.Name(text: text, manifest: manifest, path: path)
    }
}
