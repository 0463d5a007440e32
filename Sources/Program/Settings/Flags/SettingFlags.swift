internal import ArgumentParser

/// The flags that all commands share, as texts: what they mean is resolved together with environment and settings file.
struct SettingFlags: ParsableArguments {
    @Argument(help: "Property lists: paths, http(s) URLs, or - for standard input. (default: photos.plist)")
    var manifests: [String] = []

    @Option(name: [.short, .long], help: "The site. (default: public)")
    var output: String?

    @Option(help: "Ledger and originals. (default: .gallerygen beside the first manifest)")
    var state: String?

    @Option(help: "Settings, YAML, same names as the options. (default: gallerygen.yaml beside the first manifest)")
    var config: String?

    @Option(help: "The page's title. (default: from the manifest's name)")
    var title: String?

    @Option(name: .customLong("base-url"), help: "Absolute address of the site, for feed and social cards.")
    var baseURL: String?

    @Option(help: "Language of the page. (default: en)")
    var language: String?

    @Option(help: "Filter chain, CSS Filter Effects syntax; none for no filter. (default: sepia(0.8))")
    var filter: String?

    @Option(help: "Derivative widths in pixels; never upscaled. (default: 320,800,1600)")
    var widths: String?

    @Option(help: "JPEG quality. (default: 82)")
    var quality: String?

    @Option(help: "What is published: jpeg, or jpeg,webp for browsers to choose from. (default: jpeg)")
    var formats: String?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Publish the unfiltered picture too, for the before/after view. (default: yes)")
    var originals: Bool?

    @Option(help: "Photos on one page. (default: 60)")
    var perPage: String?

    @Option(help: "Templates that replace the built-in ones, file by file.")
    var templates: String?

    @Flag(name: [.short, .long], inversion: .prefixedNo, exclusivity: .chooseLast, help: "Say only what is wrong.")
    var quiet: Bool?

    @Flag(name: [.short, .long], inversion: .prefixedNo, exclusivity: .chooseLast, help: "Say more.")
    var verbose: Bool?

    @Option(help: "Colours: auto, always or never. (default: auto)")
    var color: String?

    /// The command that shows the state of the same gallery, ready for a shell. nil where it would need standard input
    /// again, or a manifest's address whose query may be a secret.
    var statusCommand: String? {
        guard manifests.allSatisfy({ $0 != "-" && !ManifestArguments.isURL($0) }) else { return nil }
        var words = ["gallerygen", "status"] + manifests
        for (name, value) in [("--state", state), ("--config", config), ("--output", output)] {
            if let value { words += [name, value] }
        }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }

    /// Flag name → text, of those that were given.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        texts[BuildSettings.output.name] = output
        texts[BuildSettings.state.name] = state
        texts[BuildSettings.title.name] = title
        texts[BuildSettings.baseURL.name] = baseURL
        texts[BuildSettings.language.name] = language
        texts[BuildSettings.filter.name] = filter
        texts[BuildSettings.widths.name] = widths
        texts[BuildSettings.quality.name] = quality
        texts[BuildSettings.formats.name] = formats
        texts[BuildSettings.noOriginals.name] = originals.map { String(!$0) }
        texts[BuildSettings.perPage.name] = perPage
        texts[BuildSettings.templates.name] = templates
        texts[BuildSettings.quiet.name] = quiet.map(String.init)
        texts[BuildSettings.verbose.name] = verbose.map(String.init)
        texts[BuildSettings.color.name] = color
        return texts
    }
}

/// The flags that only a build has.
struct BuildFlags: ParsableArguments {
    @Option(help: "Photos filtered at once. (default: one a core)")
    var jobs: String?

    @Option(help: "What photos may hold together; one that alone needs more fails. (default: 512MB)")
    var memory: String?

    @Option(help: "Transfers at once. (default: 16)")
    var downloads: String?

    @Option(help: "Transfers at once from one host. (default: 6)")
    var downloadsPerHost: String?

    @Option(help: "How long a connection may take. (default: 10s)")
    var connectTimeout: String?

    @Option(help: "How long one transfer may take. (default: 5m)")
    var timeout: String?

    @Option(help: "How long a transfer may go without a byte. (default: 30s)")
    var stallTimeout: String?

    @Option(help: "The largest file taken. (default: 100MB)")
    var maxBytes: String?

    @Option(help: "The largest picture taken. (default: 200MP)")
    var maxPixels: String?

    @Option(help: "Redirects followed. (default: 5)")
    var maxRedirects: String?

    @Option(help: "Tries after the first, for failures that may pass. (default: 3)")
    var retries: String?

    @Option(help: "How long an original is fresh: a duration, 0 for never, auto as its server says. (default: auto)")
    var maxAge: String?

    @Option(help: "How requests introduce themselves. (default: gallerygen and its version)")
    var userAgent: String?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Take users and passwords for hosts from ~/.netrc.")
    var netrc: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Let a manifest from a URL name private addresses.")
    var allowPrivate: Bool?

    @Option(help: "How long to wait for another build to end. (default: 0)")
    var wait: String?

    @Option(help: "Ratings exported from the page, baked into the site.")
    var ratings: String?

    @Option(help: "Permissions of all files of the site, such as 644; folders get the x. (default: by umask)")
    var mode: String?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Publish each photo as soon as it is ready, on a page that updates itself.")
    var live: Bool?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Stay, and build again when the manifest, its pictures or the templates change.")
    var watch: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Download, filter and publish everything again.")
    var force: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Only print what would be done.")
    var dryRun: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Give each piece of work its reason.")
    var explain: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Exit with 1 if any photo failed.")
    var strict: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Accept a manifest with no photo.")
    var allowEmpty: Bool?

    /// Flag name → text, of those that were given.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        texts[BuildSettings.jobs.name] = jobs
        texts[BuildSettings.memory.name] = memory
        texts[BuildSettings.downloads.name] = downloads
        texts[BuildSettings.downloadsPerHost.name] = downloadsPerHost
        texts[BuildSettings.connectTimeout.name] = connectTimeout
        texts[BuildSettings.timeout.name] = timeout
        texts[BuildSettings.stallTimeout.name] = stallTimeout
        texts[BuildSettings.maxBytes.name] = maxBytes
        texts[BuildSettings.maxPixels.name] = maxPixels
        texts[BuildSettings.maxRedirects.name] = maxRedirects
        texts[BuildSettings.retries.name] = retries
        texts[BuildSettings.maxAge.name] = maxAge
        texts[BuildSettings.userAgent.name] = userAgent
        texts[BuildSettings.netrc.name] = netrc.map(String.init)
        texts[BuildSettings.allowPrivate.name] = allowPrivate.map(String.init)
        texts[BuildSettings.wait.name] = wait
        texts[BuildSettings.ratings.name] = ratings
        texts[BuildSettings.mode.name] = mode
        texts[BuildSettings.live.name] = live.map(String.init)
        texts[BuildSettings.watch.name] = watch.map(String.init)
        texts[BuildSettings.force.name] = force.map(String.init)
        texts[BuildSettings.dryRun.name] = dryRun.map(String.init)
        texts[BuildSettings.explain.name] = explain.map(String.init)
        texts[BuildSettings.strict.name] = strict.map(String.init)
        texts[BuildSettings.allowEmpty.name] = allowEmpty.map(String.init)
        return texts
    }
}
