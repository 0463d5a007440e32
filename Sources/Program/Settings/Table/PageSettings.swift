/// The settings of the pages.
package struct PageSettings: SettingGroup {
    package static let title = "Pages"
    package static let table = PageSettings()

    package let title = Setting(
        "title", .text, unset: "from the manifest's name", example: "Photos", help: "The page's title.")

    package let baseURL = Setting(
        "base-url", .baseURL, unset: "none", example: "https://example.org/photos/",
        help: "Absolute address of the site, for feed and social cards.")

    package let language = Setting(
        "language", .language, default: "en", help: "Language of the page.",
        details: "`en`, `de`, `es` and `ar` have words; [Templates](TEMPLATES.md) tells how to add another.")

    package let perPage = Setting("per-page", .integer(1...10_000), default: "60", help: "Photos on one page.")

    package let templates = Setting(
        "templates", .folder, unset: "built in", example: "templates",
        help: "Templates that replace the built-in ones, file by file.",
        details: "`gallerygen init --templates` copies the built-in ones out.")

    package let ratings = Setting(
        "ratings", .file, unset: "none", example: "ratings.json",
        help: "Ratings exported from the page, baked into the site.")

    package let mode = Setting(
        "mode", .permissions, unset: "by umask", example: "644",
        help: "Permissions of all files of the site, such as 644; folders get the x.",
        details: """
            Files whose permissions differ are repaired. Without this setting no file gets fewer permissions than it had.
            """)
}
