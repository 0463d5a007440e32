internal import ArgumentParser

/// The flags of `clean`: where a gallery is, and how much to say.
struct CleanFlags: ParsableArguments {
    @Argument(help: "Property lists: paths, http(s) URLs, or -; only where they are counts. (default: photos.plist)")
    var manifests: [String] = []

    @Option(name: [.short, .long], help: "The site. (default: public)")
    var output: String?

    @Option(help: "Ledger and originals. (default: .gallerygen beside the first manifest)")
    var state: String?

    @Option(help: "Settings, YAML, same names as the options. (default: gallerygen.yaml beside the first manifest)")
    var config: String?

    @Flag(name: [.short, .long], inversion: .prefixedNo, exclusivity: .chooseLast, help: "Say only what is wrong.")
    var quiet: Bool?

    @Flag(name: [.short, .long], inversion: .prefixedNo, exclusivity: .chooseLast, help: "Name each file.")
    var verbose: Bool?

    @Option(help: "Colours: auto, always or never. (default: auto)")
    var color: String?

    /// Flag name → text, of those that were given.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        texts[BuildSettings.output.name] = output
        texts[BuildSettings.state.name] = state
        texts[BuildSettings.quiet.name] = quiet.map(String.init)
        texts[BuildSettings.verbose.name] = verbose.map(String.init)
        texts[BuildSettings.color.name] = color
        return texts
    }
}
