import Manifest
import PhotoModel
import Testing

/// The keys of a photo's dict.
@Suite struct EntryTests {
    @Test("All details of an entry are read, each from any of its keys")
    func details() throws {
        let photos = try Fixtures.read("full-entries.plist").photos
        #expect(
            photos[0].details
                == PhotoDetails(
                    caption: "Aitzgorri, Basque Country.", alt: "A rocky summit over a meadow and autumn trees",
                    credit: "Aitzol Berasategi", license: "CC BY 4.0",
                    link: "https://en.wikipedia.org/wiki/Aizkorri", date: "2017-06-11T14:05:00Z",
                    tags: ["autumn", "mountain"], rating: 5))
        #expect(photos[1].details.caption == "Under the trees.")
        #expect(photos[1].details.rating == 4.5)
        #expect(photos[1].filter?.text == "grayscale(1) contrast(1.1)")
        #expect(photos[1].filter?.position.line == 48)
        #expect(photos[2].details.caption == "Gone to seed.")
        #expect(photos[2].filter?.text == "none")
        #expect(try Fixtures.read("apps.plist").photos[0].details.caption == "10,311 downloads")
    }

    @Test("The address is the first of url, image, icon and src in this order, whatever their order in the file")
    func precedence() throws {
        let photos = try Fixtures.read("address-precedence.plist").photos
        #expect(photos.map(\.shownSource) == ["../samples/autumn-mountain.jpg", "../samples/dandelions.jpg"])
    }

    @Test("An entry has at most 16 addresses, and those after them are ignored with one warning")
    func manyAddresses() throws {
        let addresses = (1...20_000).map { "<string>https://example.org/\($0).jpg</string>" }.joined()
        let manifest = try Reading.manifest(
            "<dict><key>Lake</key><dict><key>url</key><array>\(addresses)</array></dict></dict>")
        #expect(manifest.photos[0].location == .remote("https://example.org/1.jpg"))
        #expect(manifest.photos[0].mirrors.count == 15)
        #expect(manifest.warnings.map(\.message) == ["the addresses of 'url' after the first 16 are ignored"])
    }

    @Test("A photo's dict may replace an address, and its key is its name")
    func detailsInDict() throws {
        let manifest = try Reading.manifest(
            """
            <dict><key>Lake</key><dict><key>image</key><string>a.jpg</string><key>credit</key><string>Me</string></dict>
            <key>Tea</key><dict><key>src</key><string>b.jpg</string><key>title</key><string>Coffee</string></dict>
            </dict>
            """)
        #expect(manifest.albums == [])
        #expect(manifest.photos.map(\.name) == ["Lake", "Tea"])
        #expect(manifest.photos[0].details.credit == "Me")
        #expect(manifest.warnings.map(\.message) == ["the name is not used: the key names this photo 'Tea'"])
    }

    @Test(
        "A detail of the wrong type or out of range is left out with a warning, and the photo stays",
        arguments: [
            ("<key>caption</key><integer>1</integer>", "'caption' is ignored: expected text, found a number"),
            ("<key>date</key><true/>", "'date' is ignored: expected a date or text, found true or false"),
            ("<key>tags</key><integer>1</integer>", "'tags' is ignored: expected an array of texts"),
            ("<key>tags</key><array><integer>1</integer></array>", "a tag is ignored: expected text, found a number"),
            ("<key>rating</key><string>5</string>", "'rating' is ignored: expected a number from 0 to 5, found text"),
            ("<key>rating</key><real>5.1</real>", "'rating' is ignored: 5.1 is not from 0 to 5"),
            ("<key>rating</key><real>nan</real>", "'rating' is ignored: nan is not from 0 to 5"),
            ("<key>filter</key><array/>", "'filter' is ignored: expected text, found an array"),
            (
                "<key>link</key><string>javascript:alert(1)</string>",
                "only http and https links are supported, not 'javascript:'"
            ),
            ("<key>link</key><string>/page.html</string>", "'link' is ignored: it is not absolute"),
            ("<key>link</key><string>https://</string>", "'link' is ignored: it has no host"),
            (
                "<key>link</key><string>https://me:pw@example.org/</string>",
                "'link' is ignored: it contains a user name"
            ),
        ])
    func wrongDetail(_ field: String, warning: String) throws {
        let manifest = try Reading.entry("\n" + field)
        #expect(manifest.photos.count == 1)
        #expect(manifest.photos[0].failureCode == nil)
        #expect(manifest.photos[0].details == PhotoDetails())
        #expect(manifest.photos[0].filter == nil)
        #expect(manifest.warnings.count == 1)
        #expect(manifest.warnings.first?.message.contains(warning) == true, "\(manifest.warnings)")
        #expect(manifest.warnings.first?.position.line == 5)
        #expect(!manifest.warnings.description.contains("pw"))
    }

    @Test("Tags may be one text with commas; empty tags, empty texts and repeated tags don't count")
    func tags() throws {
        let details = try Reading.entry(
            """
            <key>tags</key><string> sea, old
              harbour ,,sea</string><key>caption</key><string> </string><key>rating</key><integer>0</integer>
            """
        ).photos[0].details
        #expect(details == PhotoDetails(tags: ["sea", "old harbour"], rating: 0))
    }

    @Test(
        "A caption keeps line breaks and empty lines, but not those of an XML formatter, which indents lines",
        arguments: [
            ("First\nSecond", "First\nSecond"), ("First \r\nSecond&#13;Third", "First\nSecond\nThird"),
            ("First\n\n\n\tSecond", "First\n\nSecond"), ("\n\n  First\n  second\tthird\n", "First second third"),
            ("Two  spaces\n \nSecond", "Two  spaces\n\nSecond"),
        ])
    func captionLines(written: String, caption: String) throws {
        let entry = "<key>caption</key><string>\(written)</string><key>credit</key><string>Ada\nand Ben</string>"
        let details = try Reading.entry(entry).photos[0].details
        #expect(details.caption == caption)
        #expect(details.credit == "Ada and Ben")
    }

    @Test("A date may be text, and a link keeps its query")
    func textDateAndLink() throws {
        let details = try Reading.entry(
            "<key>date</key><string>Summer 1911</string><key>link</key><string>HTTPS://example.org/a b?id=1#x</string>"
        ).photos[0].details
        #expect(details.date == "Summer 1911")
        #expect(details.link == "https://example.org/a%20b?id=1#x")
    }

    @Test("A photo without a name is named after its file")
    func names() throws {
        let photos = try Reading.manifest(
            """
            <array><string>pictures/100%25 sea.jpg</string>
            <string>https://example.org/a/Old%20harbour.jpeg?x=1.png</string>
            <dict><key>url</key><string>.hidden</string><key>name</key><string>
            </string></dict><string>https://example.org/</string><dict/>
            <string>https://example.org/%00%1B%EF%BF%BEx.png</string>
            <string>https://example.org/%FF.png</string></array>
            """
        ).photos
        #expect(
            photos.map(\.name) == ["100%25 sea", "Old harbour", ".hidden", "example.org", "Untitled", "x", "%FF"])
    }

    @Test("An unknown key is reported once, however many entries have it, with the nearest known key")
    func unknownKeys() throws {
        let entries = (0..<5).map {
            """
            <dict><key>name</key><string>\($0)</string><key>url</key><string>a.jpg</string>
            <key>discription</key><string>x</string></dict>
            """
        }
        let manifest = try Reading.manifest("<array>\n\(entries.joined(separator: "\n"))</array>")
        #expect(
            manifest.warnings.map(\.description) == [
                "photos.plist:6:1: unknown key 'discription', here and in 4 more (did you mean 'description'?)"
            ])
    }

    @Test(
        "The nearest key is found in spite of typos, other case and swapped letters, and none is guessed",
        arguments: [
            ("captoin", "caption"), ("Caption", "caption"), ("URL", "url"), ("ulr", "url"), ("tag", "tags"),
            ("licence", "license"), ("descripton", "description"), ("colour", nil), ("x", nil),
        ])
    func nearestKey(_ written: String, nearest: String?) throws {
        let warning = try Reading.entry("<key>\(written)</key><string>x</string>").warnings[0].message
        if let nearest {
            #expect(warning == "unknown key '\(written)' (did you mean '\(nearest)'?)")
        } else {
            #expect(warning.hasPrefix("unknown key '\(written)' (known are url, image, icon, src, name, "))
        }
    }

    @Test("A dict without an address is an album; if it has only a photo's keys, a warning says so")
    func doubtfulAlbum() throws {
        let manifest = try Reading.manifest(
            "<dict><key>Lake</key><dict><key>caption</key><string>a.jpg</string></dict></dict>")
        #expect(manifest.albums == [["Lake"]])
        #expect(manifest.photos.map(\.name) == ["caption"])
        #expect(manifest.warnings[0].message.hasPrefix("'Lake' is read as an album"))
    }

    @Test("An array element that can't be a photo fails alone")
    func oddArrayElements() throws {
        let manifest = try Reading.manifest(
            "<array><integer>1</integer><array><string>a.jpg</string></array><string>b.jpg</string></array>")
        #expect(manifest.photos.map(\.failureCode) == [.badAddress, nil])
        #expect(manifest.warnings.count == 1, "the second entry without a name and an address repeats the first")
    }
}
