internal import Site

/// The files that `gallerygen init` writes.
enum GalleryScaffold {
    /// The contents of the manifest and of the settings file, by path.
    static let files: [String: [UInt8]] = [
        "photos.plist": Array(list.utf8),
        "gallerygen.yaml": Array(settings.utf8),
    ]

    /// The contents of the built-in templates, strings and assets, by path.
    static var templates: [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: TemplateSet.builtIn.map { ("templates/" + $0, $1) })
    }

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <!-- The name of a photo and its location: a path relative to this file, or a web address. -->
            <key>My First Photo</key>
            <string>first.jpg</string>

            <!-- Use a dict instead of the address to add details.
            <key>Lighthouse</key>
            <dict>
                <key>url</key>
                <string>https://example.org/lighthouse.jpg</string>
                <key>caption</key>
                <string>The lighthouse at dusk</string>
                <key>credit</key>
                <string>Who took it</string>
                <key>license</key>
                <string>CC BY 4.0</string>
                <key>tags</key>
                <array>
                    <string>sea</string>
                </array>
            </dict>
            -->

            <!-- A dict of photos is an album.
            <key>Summer</key>
            <dict>
                <key>Two Dogs</key>
                <string>two-dogs.jpg</string>
            </dict>
            -->
        </dict>
        </plist>

        """

    /// The settings file. Every line is a comment, so that `gallerygen build` behaves as if the file did not exist. A
    /// setting without a default value is shown with an example.
    private static var settings: String {
        let table = SettingsTable.table
        let blocks: [[any SettingEntry]] = [
            [table.page.title, table.page.language, table.page.baseURL],
            [
                table.pictures.filter, table.pictures.widths, table.pictures.quality, table.pictures.formats,
                table.pictures.noOriginals, table.page.perPage,
            ],
            [table.downloads.maxAge, table.page.templates, table.locations.output],
        ]
        let lines = blocks.map { block in block.map { "# \($0.name): \($0.example)\n" }.joined() }
        return """
            # Settings of this gallery. The names are those of the options of `gallerygen build`. Remove the # from a \
            line to use it.

            \(lines.joined(separator: "\n"))
            """
    }
}
