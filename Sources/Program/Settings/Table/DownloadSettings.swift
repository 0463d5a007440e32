/// The settings of transfers. docs/explanation/downloads.md describes what they do.
package struct DownloadSettings: SettingGroup {
    package static let title = "Downloads"
    package static let table = DownloadSettings()

    package let downloads = Setting(
        "downloads", .integer(1...1_000), default: "16", help: "Concurrent downloads.",
        details: """
            Requests that only ask whether a photo has changed have a higher limit: 100, or this one if it is more. \
            With `1`, all requests run one after the other.
            """)

    package let downloadsPerHost = Setting(
        "downloads-per-host", .integer(1...1_000), default: "6", help: "Concurrent downloads from one host.",
        details: """
            Requests that only ask whether a photo has changed have higher limits: four times as many over HTTP/1.1, \
            100 over HTTP/2. With `1`, a host gets one request at a time.
            """)

    package let connectTimeout = Setting(
        "connect-timeout", .duration, default: "10s", help: "Longest time to establish a connection.")

    package let timeout = Setting("timeout", .duration, default: "5m", help: "Longest time for one transfer.")

    package let stallTimeout = Setting(
        "stall-timeout", .duration, default: "30s", help: "Longest time without receiving a byte.")

    package let rate = Setting(
        "rate", .rate, unset: "no limit", example: "2", help: "Most requests per second to one host.",
        details: "Redirects, retries and requests that only ask whether a photo has changed count too.")

    package let limitRate = Setting(
        "limit-rate", .bytes, unset: "no limit", example: "500kB",
        help: "Most bytes per second, over all downloads together.",
        details: "The time limit of a transfer stays, so a low rate may need a longer `--timeout`.")

    package let retries = Setting(
        "retries", .integer(0...20), default: "3", help: "Retries after a failure that may be temporary.")

    package let maxBytes = Setting("max-bytes", .bytes, default: "100MB", help: "Largest file to download.")

    package let maxRedirects = Setting(
        "max-redirects", .integer(0...50), default: "5", help: "Most redirects to follow.")

    package let maxAge = Setting(
        "max-age", .maxAge, default: "auto", help: "How long an original counts as fresh.",
        details: "`auto` follows the caching headers of the server; `0` revalidates in every build.")

    package let minAge = Setting(
        "min-age", .minAge, default: "0",
        help: "How long an original counts as fresh if its server says nothing.",
        details: """
            `0` revalidates such photos in every build. `auto` is 10 minutes for a photo with an ETag or a \
            Last-Modified date, and a day for one without, which has to be downloaded again as a whole. The server's \
            caching headers and `--max-age` take precedence.
            """)

    package let expectChange = Setting(
        "expect-change", .expectedChange, default: "never",
        help: "Mark a photo as frozen if its bytes don't change for this long.",
        details: "The `expect-change` of a photo in the list overrides it.")

    package let archive = Setting(
        "archive", .archive, default: "none",
        help: "Ask an archive for pictures whose sources are gone: wayback or none.",
        details: """
            `wayback` is the Internet Archive. It is asked if a photo has no picture and its source answers 404 or \
            410, for each photo at most once a day. Addresses with a user, a password, a query or a private host are \
            never sent.
            """)

    package let userAgent = Setting(
        "user-agent", .fieldValue, unset: "gallerygen/ and its version", example: "Camera Club",
        help: "User-Agent header of requests.")

    package let contact = Setting(
        "contact", .contact, unset: "none", example: "https://example.org/about",
        help: "Address of a page or a mailbox where you can be reached, added to the User-Agent header.",
        details: """
            Whoever runs a server can then ask you to change something, instead of locking you out. Some servers \
            demand it.
            """)

    package let netrc = Setting(
        "netrc", .toggle, default: "false", help: "Read user names and passwords for hosts from ~/.netrc.")

    package let allowPrivate = Setting(
        "allow-private", .toggle, default: "false", help: "Allow private addresses in manifests from a URL.")
}
