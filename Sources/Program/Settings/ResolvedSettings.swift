internal import Downloads
internal import Foundation
internal import Gallery
internal import Imaging
internal import PhotoModel
internal import Site
internal import Watching

/// The values that a command uses, resolved once from flags, environment, settings file and defaults.
struct ResolvedSettings {
    let build: BuildOptions
    /// Whether the exit code is 1 if any photo failed, and also if any is stale, frozen or suspicious.
    let isStrict: Bool
    let isStrictAboutStale: Bool
    let listedProblems: ListedProblems
    /// The publication that follows the build; nil if there is none.
    let publishing: PublishTask?
    let notifications: NotificationTask
    /// Whether the process ends soon after its build: it neither waits for changes nor publishes the site nor runs a
    /// command.
    var endsAfterBuild: Bool { !isWatching && publishing == nil && notifications.command == nil }
    /// Whether the program keeps running and builds again when a file changes.
    let isWatching: Bool
    /// The local files and folders that a build reads, except the photos.
    let watched: WatchedPaths
    /// The absolute path of the settings file, whether it exists or not.
    let settingsFile: String
    /// Whether a build only prints what it would do (`isDryRun`), and whether it prints its reasons (`explains`).
    let isDryRun: Bool
    let explains: Bool
    let verbosity: Console.Verbosity
    let colour: Console.Colour
    /// Warnings about likely mistakes that don't prevent a build.
    let warnings: [String]
    /// The mistakes in the settings. If there are any, defaults have replaced the wrong values, and a command may only
    /// continue in order to find more mistakes.
    let errors: [SettingsError]

    /// - Parameters:
    ///   - sendsRequests: whether the command sends requests, and so needs certificates and the like.
    ///   - standardInput: a closure that reads standard input. It is called only if a manifest is "-".
    init(
        _ given: GivenArguments, sendsRequests: Bool, environment: ProcessEnvironment,
        standardInput: () throws(SettingsError) -> [UInt8]
    ) throws(SettingsError) {
        let table = SettingsTable.table
        let sources = SettingSources(given, environment: environment)
        let manifests = sources.manifests
        var layers = sources.layers
        var problems = SettingsProblems()
        problems.add(sources.errors)
        problems.add(layers.removeWrongValues())
        let paths = try GalleryPaths(layers: layers, environment: environment, manifests: manifests)
        let client = problems.value(or: ClientSettings()) { () throws(SettingsError) in
            sendsRequests ? try ClientSettings(layers, environment: environment) : ClientSettings()
        }
        let language = try layers.value(table.page.language)
        let templates: TemplateSet
        do throws(SettingsError) {
            templates = try paths.templateSet(language: language)
        } catch {
            problems.add([error])
            templates = TemplateSet(language: language)
        }
        let ratings = problems.value(or: .none) { () throws(SettingsError) in try paths.bakedRatings() }
        var limits = try Self.limits(layers)
        let jobs = try layers.value(table.pictures.jobs) ?? ProcessInfo.processInfo.activeProcessorCount
        let limit = DescriptorLimit.transfers(withJobs: jobs)
        let tooMany = limits.total > limit ? [Self.fewDescriptors(for: limits.total, limit: limit)] : []
        (limits.total, limits.requests) = (min(limits.total, limit), min(limits.requests, limit))
        var build = BuildOptions(
            manifests: try manifests.inputs(standardInput), output: paths.output, state: StateFolder(path: paths.state),
            title: try layers.value(table.page.title), baseURL: try layers.value(table.page.baseURL),
            language: language, perPage: try layers.value(table.page.perPage),
            templates: templates, ratings: ratings,
            generator: Version.generator,
            derivatives: try Self.derivatives(layers),
            jobs: jobs,
            memory: Int(clamping: try layers.value(table.pictures.memory)),
            limits: limits, client: client.profile,
            allowsEmpty: try layers.value(table.run.allowEmpty), now: environment.now,
            startedAt: environment.startedAt, lockHolder: environment.lockHolder,
            allowsPrivate: try layers.value(table.downloads.allowPrivate),
            maxAge: try Self.maxAge(layers))
        build.expectedChange = try layers.value(table.downloads.expectChange)
        build.versions = VersionOptions(
            kept: try layers.value(table.pictures.keepVersions),
            areShown: try layers.value(table.pictures.showVersions))
        if try layers.value(table.downloads.archive) == .wayback {
            // Tests have a server of their own in place of the archive.
            let server = environment.variables["WAYBACK_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
            build.archive = server.map(Wayback.server) ?? .archive
        }
        build.accepted = AcceptedNames(given.accepted)
        build.wait = try layers.value(table.run.wait)
        build.keepOld = try layers.value(table.page.keepOld) ?? .zero
        build.permissions = try layers.value(table.page.mode)
        build.homes = environment.homes
        build.isLive = try layers.value(table.run.live)
        build.sharing = problems.value(or: nil) { () throws(SettingsError) in
            try SharingOptions(layers, environment: environment)
        }
        publishing = try PublishTask(layers, paths: paths, environment: environment)
        notifications = try NotificationTask(layers, paths: paths, client: client.profile, environment: environment)
        build.listsChanges = notifications.command != nil
        isWatching = try layers.value(table.run.watch)
        settingsFile = sources.filePath
        watched = WatchedPaths(files: [sources.filePath]).union(manifests.watched).union(paths.watched)
        build.isForced = try layers.value(table.run.force)
        self.build = build
        isDryRun = try layers.value(table.run.dryRun)
        explains = try layers.value(table.run.explain)
        isStrictAboutStale = try layers.value(table.run.strictStale)
        listedProblems = try layers.value(table.run.report)
        let isStrictAboutFailures = try layers.value(table.run.strict)
        isStrict = isStrictAboutFailures || isStrictAboutStale
        verbosity = problems.value(or: .normal) { () throws(SettingsError) in try layers.verbosity() }
        colour = try layers.value(table.messages.color)
        warnings =
            sources.warnings + client.warnings + tooMany + Self.unknownVariables(environment.variables)
            + (templates.hasStrings(of: language) ? [] : [Self.noStrings(of: language)])
            + Self.unusedTemplates(of: templates)
        errors = problems.errors
    }

    private static func maxAge(_ layers: SettingLayers) throws(SettingsError) -> MaxAge {
        let downloads = SettingsTable.table.downloads
        guard case .server = try layers.value(downloads.maxAge) else { return try layers.value(downloads.maxAge) }
        return .server(minimum: try layers.value(downloads.minAge))
    }

    private static func derivatives(_ layers: SettingLayers) throws(SettingsError) -> DerivativeOptions {
        let pictures = SettingsTable.table.pictures
        return DerivativeOptions(
            widths: try layers.value(pictures.widths), quality: try layers.value(pictures.quality),
            formats: try layers.value(pictures.formats), filter: try layers.value(pictures.filter),
            publishesUnfiltered: !(try layers.value(pictures.noOriginals)),
            maxPixels: try layers.value(pictures.maxPixels))
    }

    private static func limits(_ layers: SettingLayers) throws(SettingsError) -> TransferLimits {
        let downloads = SettingsTable.table.downloads
        var limits = TransferLimits(
            connectTimeout: try layers.value(downloads.connectTimeout),
            timeout: try layers.value(downloads.timeout), stallTimeout: try layers.value(downloads.stallTimeout),
            maxBytes: try layers.value(downloads.maxBytes), maxRedirects: try layers.value(downloads.maxRedirects),
            total: try layers.value(downloads.downloads), perHost: try layers.value(downloads.downloadsPerHost),
            retries: try layers.value(downloads.retries))
        limits.bytesPerSecond = try layers.value(downloads.limitRate)
        limits.requestInterval = try layers.value(downloads.rate).map { .seconds(1 / $0) } ?? .zero
        return limits
    }

    private static func fewDescriptors(for downloads: Int, limit: Int) -> String {
        "downloads \(downloads): limited to \(limit) at once, because this process may not open more files (ulimit -n)"
    }

    private static func noStrings(of language: String) -> String {
        "language '\(language)': there is no translation, so the texts of the pages are in English; "
            + "add strings/\(language).txt to the folder of --templates to translate them"
    }

    /// A warning for each template that no page includes, with the built-in template that was probably meant.
    private static func unusedTemplates(of templates: TemplateSet) -> [String] {
        templates.unusedTemplates.map { name in
            let nearest = NearestName.find(name, in: TemplateSet.builtInTemplates)
            return "templates: \(name).mustache is not used, because no template includes it; "
                + (nearest.map { "did you mean \($0).mustache?" } ?? "include it with {{>\(name)}}")
        }
    }

    /// A warning for each environment variable that looks like a setting but is none, with the nearest setting. It is
    /// no error, because a variable with the prefix can belong to a script of the user.
    private static func unknownVariables(_ environment: [String: String]) -> [String] {
        let known = SettingsTable.entries.map(\.variable)
        return environment.filter { !$0.value.isEmpty }.keys.sorted().compactMap { variable in
            guard variable.hasPrefix(SettingName.prefix), !known.contains(variable),
                let nearest = NearestName.find(variable, in: known, after: SettingName.prefix)
            else { return nil }
            return "environment variable \(variable) is not a setting; did you mean \(nearest)?"
        }
    }
}

extension SettingLayers {
    /// The verbosity of the console. A flag overrides the opposite in the environment or the file, as it overrides a
    /// value of its own setting.
    func verbosity() throws(SettingsError) -> Console.Verbosity {
        let messages = SettingsTable.table.messages
        let isQuiet = try value(messages.quiet)
        let isVerbose = try value(messages.verbose)
        guard isQuiet, isVerbose else { return isQuiet ? .quiet : isVerbose ? .verbose : .normal }
        let quiet = entries(of: messages.quiet).last?.origin ?? .flag
        let verbose = entries(of: messages.verbose).last?.origin ?? .flag
        guard quiet.precedence == verbose.precedence else {
            return quiet.precedence > verbose.precedence ? .quiet : .verbose
        }
        let position = if case .file(let position) = verbose { "\(position): " } else { "" }
        let names = [messages.quiet.name(at: quiet), messages.verbose.name(at: verbose)].joined(separator: " and ")
        throw SettingsError(origin: verbose, message: "\(position)\(names) can't be used together")
    }
}

extension SettingsError.Origin {
    /// The source with the higher number takes precedence.
    fileprivate var precedence: Int {
        switch self {
        case .file: 0
        case .environment: 1
        case .flag, .missing, .standardInput: 2
        }
    }
}
