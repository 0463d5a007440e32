package import Downloads
package import Imaging
package import Site

/// The settings of a build: their names, what each allows, and its default. One place for flags, environment and file.
package enum BuildSettings {
    package static let output = Setting(name: "output", allowed: "a folder", parse: SettingParsers.text)
    package static let state = Setting(name: "state", allowed: "a folder", parse: SettingParsers.text)
    package static let title = Setting(name: "title", allowed: "a text", parse: SettingParsers.text)
    package static let baseURL = Setting(
        name: "base-url", allowed: "an absolute http or https address without query and fragment",
        parse: SettingParsers.baseURL)
    package static let language = Setting(
        name: "language", allowed: "a language tag such as en or pt-BR", parse: SettingParsers.language)
    package static let filter = Setting(
        name: "filter",
        allowed: "none, or a chain of CSS filter functions such as 'sepia(0.8) contrast(1.1)'",
        parse: SettingParsers.filter, explain: SettingParsers.filterProblem)
    package static let widths = Setting(
        name: "widths", allowed: "a list of widths from 1 to 20000 such as 320,800,1600",
        parse: SettingParsers.widths)
    package static let quality = Setting(
        name: "quality", allowed: "a whole number from 1 to 100", parse: SettingParsers.integer(1...100))
    package static let formats = Setting(
        name: "formats", allowed: "jpeg or jpeg,webp", parse: SettingParsers.formats,
        explain: SettingParsers.formatsProblem)
    package static let noOriginals = Setting(name: "no-originals", allowed: "true or false", parse: SettingParsers.flag)
    package static let perPage = Setting(
        name: "per-page", allowed: "a whole number from 1 to 10000", parse: SettingParsers.integer(1...10_000))
    package static let templates = Setting(name: "templates", allowed: "a folder", parse: SettingParsers.text)
    package static let ratings = Setting(name: "ratings", allowed: "a file", parse: SettingParsers.text)
    package static let mode = Setting(
        name: "mode", allowed: "octal permissions without x that let the owner read and write, such as 644 or 664",
        parse: { SitePermissions(octal: $0) })
    package static let jobs = Setting(
        name: "jobs", allowed: "a whole number from 1 to 256", parse: SettingParsers.integer(1...256))
    package static let memory = Setting(
        name: "memory", allowed: "a size such as 512MB", parse: SettingParsers.bytes)
    package static let downloads = Setting(
        name: "downloads", allowed: "a whole number from 1 to 1000", parse: SettingParsers.integer(1...1_000))
    package static let downloadsPerHost = Setting(
        name: "downloads-per-host", allowed: "a whole number from 1 to 1000", parse: SettingParsers.integer(1...1_000))
    package static let connectTimeout = Setting(
        name: "connect-timeout", allowed: "a duration such as 10s or 2m", parse: SettingParsers.duration)
    package static let timeout = Setting(
        name: "timeout", allowed: "a duration such as 90s or 5m", parse: SettingParsers.duration)
    package static let stallTimeout = Setting(
        name: "stall-timeout", allowed: "a duration such as 30s", parse: SettingParsers.duration)
    package static let maxBytes = Setting(
        name: "max-bytes", allowed: "a size such as 100MB or 512kB", parse: SettingParsers.bytes)
    package static let maxPixels = Setting(
        name: "max-pixels", allowed: "a number of pixels such as 200MP", parse: SettingParsers.pixels)
    package static let maxRedirects = Setting(
        name: "max-redirects", allowed: "a whole number from 0 to 50", parse: SettingParsers.integer(0...50))
    package static let retries = Setting(
        name: "retries", allowed: "a whole number from 0 to 20", parse: SettingParsers.integer(0...20))
    package static let maxAge = Setting(
        name: "max-age", allowed: "auto, a duration such as 1h, or 0 to ask always", parse: SettingParsers.maxAge)
    package static let userAgent = Setting(
        name: "user-agent", allowed: "a text without line breaks", parse: SettingParsers.fieldValue)
    package static let netrc = Setting(name: "netrc", allowed: "true or false", parse: SettingParsers.flag)
    package static let allowPrivate = Setting(
        name: "allow-private", allowed: "true or false", parse: SettingParsers.flag)
    package static let wait = Setting(
        name: "wait", allowed: "0, or a duration such as 10m", parse: SettingParsers.wait)
    package static let strict = Setting(name: "strict", allowed: "true or false", parse: SettingParsers.flag)
    package static let allowEmpty = Setting(name: "allow-empty", allowed: "true or false", parse: SettingParsers.flag)
    package static let live = Setting(name: "live", allowed: "true or false", parse: SettingParsers.flag)
    package static let watch = Setting(name: "watch", allowed: "true or false", parse: SettingParsers.flag)
    package static let force = Setting(name: "force", allowed: "true or false", parse: SettingParsers.flag)
    package static let dryRun = Setting(name: "dry-run", allowed: "true or false", parse: SettingParsers.flag)
    package static let explain = Setting(name: "explain", allowed: "true or false", parse: SettingParsers.flag)
    package static let quiet = Setting(name: "quiet", allowed: "true or false", parse: SettingParsers.flag)
    package static let verbose = Setting(name: "verbose", allowed: "true or false", parse: SettingParsers.flag)
    package static let color = Setting(
        name: "color", allowed: "auto, always or never", parse: { Console.Colour(rawValue: $0) })

    /// All names, in the order of the help.
    package static let names = [
        output.name, state.name, title.name, baseURL.name, language.name, filter.name, widths.name, quality.name,
        formats.name, noOriginals.name, perPage.name, templates.name, ratings.name, mode.name, jobs.name, memory.name,
        downloads.name, downloadsPerHost.name,
        connectTimeout.name, timeout.name, stallTimeout.name, maxBytes.name, maxPixels.name, maxRedirects.name,
        retries.name, maxAge.name, userAgent.name, netrc.name, allowPrivate.name, wait.name,
        live.name, watch.name, force.name, dryRun.name, explain.name, strict.name, allowEmpty.name, quiet.name,
        verbose.name, color.name,
    ]
}
