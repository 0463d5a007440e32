internal import Site

/// The files that `gallerygen init` writes.
enum GalleryScaffold {
    /// The list and the settings, by path.
    static let files: [String: [UInt8]] = [
        "photos.plist": Array(list.utf8),
        "gallerygen.yaml": Array(settings.utf8),
    ]

    /// The built-in templates, strings and assets, by path.
    static var templates: [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: TemplateSet.builtIn.map { ("templates/" + $0, $1) })
    }

    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <!-- The name of a photo, and where it is: a path beside this file, or a web address. -->
            <key>My First Photo</key>
            <string>first.jpg</string>

            <!-- A dict in place of the address tells more about a photo.
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

    /// Every line is a setting at its default, for `gallerygen build` to go on as if the file were not there.
    private static let settings = """
        # Settings of this gallery, under the names of the options of `gallerygen build`. A line counts once its # is taken away.

        # title: Photos
        # language: en
        # base-url: https://example.org/photos/

        # filter: sepia(0.8)
        # widths: 320,800,1600
        # quality: 82
        # formats: jpeg
        # no-originals: false
        # per-page: 60

        # max-age: auto
        # templates: templates
        # output: public

        """
}
