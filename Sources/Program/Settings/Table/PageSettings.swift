/// The settings of the pages.
package struct PageSettings: SettingGroup {
    package static let title = "Pages"
    package static let table = PageSettings()

    package let title = Setting(
        "title", .text, unset: "from the manifest's name", example: "Photos", help: "Title of the page.")

    package let baseURL = Setting(
        "base-url", .baseURL, unset: "none", example: "https://example.org/photos/",
        help: "Absolute address of the site, for the feed, social cards and search engines.",
        details: "With it the site has a `sitemap.xml`, and at the root of a host a `robots.txt`. Feed readers know "
            + "the feed by this address, or without it by the title.")

    package let language = Setting(
        "language", .language, default: "en", help: "Language of the page.",
        details: "There are texts in `en`, `de`, `es` and `ar`; [Templates](templates.md) describes how to add others.")

    package let perPage = Setting("per-page", .integer(1...10_000), default: "60", help: "Photos per page.")

    package let templates = Setting(
        "templates", .folder, unset: "built in", example: "templates",
        help: "Templates that replace the built-in ones, file by file.",
        details: "`gallerygen init --templates` copies the built-in ones for editing.")

    package let ratings = Setting(
        "ratings", .file, unset: "none", example: "ratings.json",
        help: "Ratings exported from the page, to include in the site.")

    package let keepOld = Setting(
        "keep-old", .wait, unset: "0, and a day at the target of publish", example: "1d",
        help: "How long files of earlier builds stay for cached pages; 0 for not at all.",
        details: """
            In the site these are pictures, styles and scripts, and at the target of `publish` pages too. A page \
            that a browser or a CDN has kept still finds its files for that time. The next build removes them then, \
            also when it has nothing else to do. `kept.json` in the site lists them.
            """)

    package let mode = Setting(
        "mode", .permissions, unset: "by umask", example: "644",
        help: "Permissions of the files of the site, such as 644; folders get x added.",
        details: """
            Different permissions are corrected. Without this setting no file gets fewer permissions than it had.
            """)
}
