internal import Downloads
internal import Foundation
internal import Gallery
internal import Imaging
internal import PhotoModel
internal import Site
internal import Watching

/// Flags, environment, settings file and defaults, resolved once into what a command works with.
struct ResolvedSettings {
    let build: BuildOptions
    let isStrict: Bool
    /// Whether the program stays and builds again.
    let isWatching: Bool
    /// The files and folders of this machine that a build reads, without the photos.
    let watched: WatchedPaths
    /// Whether a build only says what it would do, and whether it gives its reasons.
    let isDryRun: Bool
    let explains: Bool
    let verbosity: Console.Verbosity
    let colour: Console.Colour
    /// Things that look like mistakes but do not stop anything.
    let warnings: [String]

    /// - Parameters:
    ///   - standardInput: read only when a manifest is "-".
    init(
        flags: SettingFlags, buildFlags: BuildFlags?, environment: ProcessEnvironment,
        standardInput: () throws(SettingsError) -> [UInt8]
    ) throws(SettingsError) {
        let manifests = ManifestArguments(flags.manifests, environment: environment)
        let search = SettingsFileSearch(environment: environment, manifests: manifests)
        let named = flags.config ?? environment.variables[SettingName.variable("config")]
        let file = try search.find(named)
        let layers = SettingLayers(
            flags: flags.texts.merging(buildFlags?.texts ?? [:]) { $1 }, environment: environment.variables,
            file: file)
        let paths = try GalleryPaths(layers: layers, file: file, environment: environment, manifests: manifests)
        let client = buildFlags == nil ? ClientSettings() : try ClientSettings(layers, environment: environment)
        typealias Known = BuildSettings
        let language = try layers.value(Known.language) ?? "en"
        let templates = try paths.templateSet(language: language)
        var limits = try Self.limits(layers)
        let jobs = try layers.value(Known.jobs) ?? ProcessInfo.processInfo.activeProcessorCount
        let most = DescriptorLimit.transfers(beside: jobs)
        let tooMany = limits.total > most ? [Self.fewDescriptors(for: limits.total, most: most)] : []
        limits.total = min(limits.total, most)
        var build = BuildOptions(
            manifests: try manifests.inputs(standardInput), output: paths.output, state: StateFolder(path: paths.state),
            title: try layers.value(Known.title), baseURL: try layers.value(Known.baseURL),
            language: language, perPage: try layers.value(Known.perPage) ?? 60,
            templates: templates, ratings: try paths.bakedRatings(),
            generator: Version.generator,
            derivatives: try Self.derivatives(layers),
            jobs: jobs,
            memory: Int(clamping: try layers.value(Known.memory) ?? 512_000_000),
            limits: limits, client: client.profile,
            allowsEmpty: try layers.value(Known.allowEmpty) ?? false, now: environment.now,
            startedAt: environment.startedAt, lockHolder: environment.lockHolder,
            allowsPrivate: try layers.value(Known.allowPrivate) ?? false,
            maxAge: try layers.value(Known.maxAge) ?? .auto)
        build.wait = try layers.value(Known.wait) ?? .zero
        build.permissions = try layers.value(Known.mode)
        build.homes = environment.homes
        build.isLive = try layers.value(Known.live) ?? false
        isWatching = try layers.value(Known.watch) ?? false
        watched = WatchedPaths(files: [search.path(named)]).union(manifests.watched).union(paths.watched)
        build.isForced = try layers.value(Known.force) ?? false
        self.build = build
        isDryRun = try layers.value(Known.dryRun) ?? false
        explains = try layers.value(Known.explain) ?? false
        isStrict = try layers.value(Known.strict) ?? false
        verbosity = try layers.verbosity()
        colour = try layers.value(Known.color) ?? .auto
        warnings =
            client.warnings + tooMany + Self.unknownVariables(environment.variables)
            + (templates.hasWords(of: language) ? [] : [Self.noWords(of: language)])
    }

    private static func derivatives(_ layers: SettingLayers) throws(SettingsError) -> DerivativeOptions {
        DerivativeOptions(
            widths: try layers.value(BuildSettings.widths) ?? [320, 800, 1600],
            quality: try layers.value(BuildSettings.quality) ?? 82,
            formats: try layers.value(BuildSettings.formats) ?? .jpeg,
            filter: try layers.value(BuildSettings.filter) ?? .standard,
            publishesUnfiltered: !(try layers.value(BuildSettings.noOriginals) ?? false),
            maxPixels: try layers.value(BuildSettings.maxPixels) ?? 200_000_000)
    }

    private static func limits(_ layers: SettingLayers) throws(SettingsError) -> TransferLimits {
        TransferLimits(
            connectTimeout: try layers.value(BuildSettings.connectTimeout) ?? .seconds(10),
            timeout: try layers.value(BuildSettings.timeout) ?? .seconds(300),
            stallTimeout: try layers.value(BuildSettings.stallTimeout) ?? .seconds(30),
            maxBytes: try layers.value(BuildSettings.maxBytes) ?? 100_000_000,
            maxRedirects: try layers.value(BuildSettings.maxRedirects) ?? 5,
            total: try layers.value(BuildSettings.downloads) ?? 16,
            perHost: try layers.value(BuildSettings.downloadsPerHost) ?? 6,
            retries: try layers.value(BuildSettings.retries) ?? 3)
    }

    private static func fewDescriptors(for downloads: Int, most: Int) -> String {
        "downloads \(downloads): no more than \(most) at once, as this process may not have more files open (ulimit -n)"
    }

    private static func noWords(of language: String) -> String {
        "language '\(language)': the pages say so, but their own words are in English; "
            + "a file strings/\(language).txt in the folder of --templates would translate them"
    }

    /// Variables that look like settings but are none, each with the nearest one.
    private static func unknownVariables(_ environment: [String: String]) -> [String] {
        let known = (BuildSettings.names + ["config"]).map(SettingName.variable)
        return environment.keys.sorted().compactMap { variable in
            guard variable.hasPrefix(SettingName.prefix), !known.contains(variable),
                let nearest = NearestName.find(variable, in: known, after: SettingName.prefix)
            else { return nil }
            return "environment variable \(variable) is no setting; did you mean \(nearest)?"
        }
    }
}

extension SettingLayers {
    /// The verbosity of the console.
    func verbosity() throws(SettingsError) -> Console.Verbosity {
        let isQuiet = try value(BuildSettings.quiet) ?? false
        let isVerbose = try value(BuildSettings.verbose) ?? false
        if isQuiet && isVerbose {
            throw SettingsError(place: .flag, message: "--quiet and --verbose contradict each other")
        }
        return isQuiet ? .quiet : isVerbose ? .verbose : .normal
    }
}
