import Manifest
import PhotoModel
import Testing

/// The XML and property lists that are accepted and refused, beyond the fixtures.
@Suite struct PropertyListTests {
    @Test(
        "Positions point at the start tag, on the right line and column, even after tabs, wide characters and comments")
    func positions() throws {
        let manifest = try Reading.manifest(
            """
            <dict>
            \t<key>Łąka 📷</key> <string>a.jpg</string><key
                 id="x">Tea</key><!-- two
              lines --><string
              >b.jpg</string>
            <key>Album</key><dict>
                <key>Sea</key>  <dict><key>url</key><string>c.jpg</string>
                    <key>filter</key> <string>none</string></dict></dict>
            </dict>
            """)
        #expect(
            manifest.photos.map(\.position.description) == [
                "photos.plist:5:2", "photos.plist:5:42", "photos.plist:10:5",
            ])
        #expect(manifest.photos[2].filter?.position.description == "photos.plist:11:27")
    }

    @Test("A line number beyond 65,535 is right")
    func longFile() throws {
        let breaks = String(repeating: "\n", count: 70_000)
        let manifest = try Reading.manifest("<dict>\(breaks)<key>Lake</key><string>a.jpg</string></dict>")
        #expect(manifest.photos[0].position.line == 70_004)
    }

    @Test("A small internal entity is replaced by its text wherever it is used")
    func internalEntity() throws {
        let text = """
            <!DOCTYPE plist [<!ENTITY club "Caf&#233; Club"><!ENTITY folder "pictures">]>
            <plist version="1.0"><dict><key>&club; one &club;</key><string>&folder;/1.jpg</string></dict></plist>
            """
        let photo = try ManifestReader(origin: Reading.local).read(Array(text.utf8)).photos[0]
        #expect(photo.name == "Café Club one Café Club")
        #expect(photo.location == .file("/galleries/club/pictures/1.jpg"))
    }

    @Test(
        "An entity that could fetch, nest or expand without limit is refused by its name",
        arguments: [
            #"<!ENTITY x SYSTEM "secret.txt">"#, #"<!ENTITY x PUBLIC "a" "secret.txt">"#,
            #"<!ENTITY x SYSTEM "lake.jpg" NDATA jpeg>"#, #"<!ENTITY % x "text">"#, #"<!ENTITY % x SYSTEM "evil.dtd">"#,
            #"<!ENTITY x "&y;">"#, #"<!ENTITY x "&#60;string>a.jpg&#60;/string>">"#, #"<!ENTITY x "&#38;y;">"#,
        ])
    func refusedEntity(_ declaration: String) throws {
        let text = """
            <!DOCTYPE plist [
            <!NOTATION jpeg SYSTEM "viewer">
            \(declaration)]>
            <plist version="1.0"><dict><key>Lake</key><string>a.jpg</string></dict></plist>
            """
        let error = #expect(throws: ManifestError.self) {
            try ManifestReader(origin: Reading.local).read(Array(text.utf8))
        }
        guard case .entity("x", _, let position) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(position.line == 3)
    }

    @Test("Entities may add a limited amount of text, however it is distributed")
    func entityGrowth() throws {
        func read(references: Int) throws -> Manifest {
            let text = """
                <!DOCTYPE plist [<!ENTITY x "\(String(repeating: "x", count: 1000))">]><plist><array>
                \(String(repeating: "<string>&x;</string>", count: references))</array></plist>
                """
            return try ManifestReader(origin: Reading.local).read(Array(text.utf8))
        }
        #expect(try read(references: 400).photos.count == 1)
        let error = #expect(throws: ManifestError.self) { try read(references: 1200) }
        guard case .entity("x", .tooMuchText, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Albums may be 32 deep, in dicts and arrays, and not deeper")
    func depth() throws {
        func nested(_ depth: Int, innermost: String) -> String {
            String(repeating: "<dict><key>a</key>\n", count: depth) + innermost
                + String(repeating: "</dict>", count: depth)
        }
        let entry = """
            <array><dict><key>name</key><string>Lake</string><key>url</key><string>a.jpg</string>
            <key>tags</key><array><string>x</string></array></dict></array>
            """
        let deepest = try Reading.manifest(nested(32, innermost: entry))
        #expect(deepest.photos[0].album.count == 32)
        #expect(deepest.albums.count == 32)
        let error = #expect(throws: ManifestError.self) { try Reading.manifest(nested(33, innermost: entry)) }
        #expect(error == .tooDeep(limit: 32, TextPosition(file: "photos.plist", line: 36, column: 7)))
    }

    @Test(
        "The text of numbers, dates, data and booleans must be of that kind",
        arguments: [
            ("<integer>+42</integer>", true), ("<integer>-0x1F</integer>", true), ("<integer> 7\n</integer>", true),
            ("<integer>18446744073709551615</integer>", true), ("<integer>18446744073709551616</integer>", false),
            ("<integer></integer>", false), ("<integer>--1</integer>", false), ("<integer>4.2</integer>", false),
            ("<real>1e-3</real>", true), ("<real>nan</real>", true), ("<real>1,5</real>", false), ("<real/>", false),
            ("<date>2024-02-29T00:00:00Z</date>", true), ("<date>2023-02-29T00:00:00Z</date>", false),
            ("<date>2024-13-01T00:00:00Z</date>", false), ("<date>2024-01-01 00:00:00Z</date>", false),
            ("<date>2024-01-01T24:00:00Z</date>", false), ("<date/>", false),
            ("<data>\n aGVs\n bG8=\n</data>", true), ("<data/>", true), ("<data>a*b=</data>", false),
            ("<data>=aGV</data>", false), ("<true/>", true), ("<false> </false>", true), ("<true>yes</true>", false),
        ])
    func scalars(_ element: String, isRight: Bool) throws {
        let value = "<dict><key>Lake</key>\n\(element)</dict>"
        guard !isRight else {
            #expect(try Reading.manifest(value).photos[0].failureCode == .badAddress)
            return
        }
        let error = #expect(throws: ManifestError.self) { try Reading.manifest(value) }
        guard case .brokenPropertyList(.badValue, let position) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(position.line == 5 && position.column == 1)
    }

    @Test(
        "The error about a file that is no property list says what was expected",
        arguments: [
            ("<dict><string>a.jpg</string></dict>", "a value without a key"),
            ("<array><key>Lake</key></array>", "a key in an array"),
            ("<dict><key>Lake</key></dict>", "the key 'Lake' has no value"),
            ("<dict><key>Lake</key><key>Tea</key></dict>", "a key where the value of 'Lake' was expected"),
            ("<dict/><array/>", "a second value at the top"),
            ("<integer>1</integer>", "the value at the top level is <integer>; expected a dict"),
            ("<dict><key>Lake</key><Dict/></dict>", "did you mean 'dict'?"), ("lake.jpg", "text between the elements"),
            ("<dict><key>La<b/>ke</key></dict>", "the element 'b' inside a key"),
            ("", "the property list has no value"),
            (
                "<dict><key>\u{202E}\u{1B}[31m</key></dict>".replacing("\u{1B}", with: "\u{9B}"),
                #"'\u{202e}\u{9b}[31m'"#
            ),
        ])
    func faults(_ value: String, words: String) throws {
        let error = try #require(throws: ManifestError.self) { try Reading.manifest(value) }
        #expect(error.description.contains(words))
        #expect(error.description.hasPrefix("photos.plist:"))
    }

    @Test("Manifests can be read in parallel, and each error comes from its own manifest")
    func parallel() async {
        await withTaskGroup(of: (Int, String?).self) { group in
            for index in 0..<64 {
                group.addTask {
                    let lines = String(repeating: "\n", count: index)
                    do throws(ManifestError) {
                        _ = try Reading.manifest("<dict>\(lines)<key>Lake</string></dict>")
                        return (index, nil)
                    } catch {
                        return (index, error.diagnostics[0].position.description)
                    }
                }
            }
            for await (index, place) in group {
                #expect(place?.hasPrefix("photos.plist:\(index + 4):") == true)
            }
        }
    }
}
