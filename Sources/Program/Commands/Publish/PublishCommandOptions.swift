internal import Gallery
internal import Publish

/// The settings of `publish`: arguments, environment and settings file, resolved as for a build.
struct PublishCommandOptions {
    let task: PublishTask
    let console: Console

    /// - Throws: `SettingsError` also where no target is named.
    init(_ given: GivenArguments) throws(SettingsError) {
        let environment = try ProcessEnvironment.read()
        let sources = SettingSources(given, environment: environment)
        if let error = sources.errors.first { throw error }
        let layers = sources.layers
        let paths = try GalleryPaths(layers: layers, environment: environment, manifests: sources.manifests)
        guard let task = try PublishTask(layers, paths: paths, environment: environment)
        else {
            throw SettingsError(
                origin: .flag,
                message: "no target is named; give one, as in gallerygen publish /srv/www/photos, "
                    + "or set publish in the settings file")
        }
        self.task = task
        console = Console(
            verbosity: try layers.verbosity(), colour: try layers.value(SettingsTable.table.messages.color),
            environment: environment.variables)
    }
}
