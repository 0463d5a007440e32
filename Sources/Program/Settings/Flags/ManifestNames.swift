internal import ArgumentParser

/// The manifests of a command line.
struct ManifestNames: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Property lists: paths, http(s) URLs, or - for standard input. (default: photos.plist)",
            valueName: "manifest"), completion: .file())
    var names: [String] = []
}
