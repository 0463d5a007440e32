/// The settings of transfers. docs/DOWNLOADS.md tells what they do.
package struct DownloadSettings: SettingGroup {
    package static let title = "Downloads"
    package static let table = DownloadSettings()

    package let downloads = Setting("downloads", .integer(1...1_000), default: "16", help: "Transfers at once.")

    package let downloadsPerHost = Setting(
        "downloads-per-host", .integer(1...1_000), default: "6", help: "Transfers at once from one host.")

    package let connectTimeout = Setting(
        "connect-timeout", .duration, default: "10s", help: "Time that a connection may take.")

    package let timeout = Setting("timeout", .duration, default: "5m", help: "Time that one transfer may take.")

    package let stallTimeout = Setting(
        "stall-timeout", .duration, default: "30s", help: "Time that a transfer may go without a byte.")

    package let retries = Setting(
        "retries", .integer(0...20), default: "3", help: "Tries after the first, for failures that may pass.")

    package let maxBytes = Setting("max-bytes", .bytes, default: "100MB", help: "The largest file taken.")

    package let maxRedirects = Setting("max-redirects", .integer(0...50), default: "5", help: "Redirects followed.")

    package let maxAge = Setting(
        "max-age", .maxAge, default: "auto", help: "Time that an original counts as fresh.",
        details: "`auto` obeys the caching headers of the server; `0` asks the server at each build.")

    package let userAgent = Setting(
        "user-agent", .fieldValue, unset: "gallerygen/ and its version", example: "Camera Club",
        help: "The name by which requests introduce themselves.")

    package let netrc = Setting(
        "netrc", .toggle, default: "false", help: "Take users and passwords for hosts from ~/.netrc.")

    package let allowPrivate = Setting(
        "allow-private", .toggle, default: "false", help: "Let a manifest from a URL name private addresses.")
}
