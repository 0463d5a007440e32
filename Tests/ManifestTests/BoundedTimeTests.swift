import Manifest
import PhotoModel
import Testing

/// Manifests that would take minutes to read are refused as soon as they exceed a limit. The position of the error, and
/// how often the reader checks for cancellation, show how far it has read.
@Suite struct BoundedTimeTests {
    private static let photo = "<dict><key>Lake</key><string>a.jpg</string></dict>"

    private static func error(_ text: String) throws -> ManifestError {
        try #require(throws: ManifestError.self) {
            try ManifestReader(origin: Reading.local).read(Array(text.utf8))
        }
    }

    /// Reads a manifest with this DOCTYPE, whose property list has this value.
    private static func fault(
        _ value: String, subset: String = ""
    ) throws -> (fault: MarkupFault, place: TextPosition)? {
        let head = subset.isEmpty ? "" : "<!DOCTYPE plist [\(subset)]>"
        guard case .markup(let fault, let place) = try error("\(head)<plist>\(value)</plist>") else { return nil }
        return (fault, place)
    }

    /// libxml2 reads some kilobytes ahead.
    private static let slack = 12_000

    @Test("A tag is not read much further than the limit", arguments: [" a", " xmlns:p", " e:a"])
    func longTag(attribute: String) throws {
        let attributes = (0..<100_000).map { "\(attribute)\($0)=''" }.joined()
        let found = try #require(try Self.fault("<dict><key>Lake</key><string\(attributes)>a.jpg</string></dict>"))
        #expect(found.fault == .longTag(limit: 16_000))
        #expect(found.place.column < 16_000 + Self.slack)
    }

    @Test(
        "A tag with a long value, space or reference is not read to its end either",
        arguments: [
            ("<string a='", "x", "'>a.jpg</string>"), ("<string", " ", ">a.jpg</string>"),
            ("<string>a.jpg</string", "\n", ">"), ("<string>&#", "0", "65;</string>"),
        ])
    func otherLongTags(before: String, repeated: Character, after: String) throws {
        let value = before + String(repeating: repeated, count: 1_000_000) + after
        #expect(try Self.fault("<array>\(value)</array>")?.fault == .longTag(limit: 16_000))
    }

    @Test("Texts, comments, CDATA sections and instructions may be long")
    func longTexts() throws {
        let long = String(repeating: "x ", count: 500_000)
        let blank = String(repeating: " ", count: 500_000)
        let manifest = try ManifestReader(origin: Reading.local).read(
            Array(
                """
                <?xml version="1.0"?><!--\(long)--><?a \(long)?>\(blank)
                <plist version="1.0">\(blank)<!--\(long)--><array><?a \(long)?>
                <dict><key>name</key><string>N</string><key>url</key><string>a.jpg</string>
                <key>caption</key><string>\(long)</string><key>alt</key><string><![CDATA[\(long)]]></string>
                </dict></array></plist>\(blank)<!--\(long)-->
                """.utf8))
        #expect(manifest.photos.first?.details.caption?.utf8.count == 999_999)
        #expect(manifest.photos.first?.details.alt?.utf8.count == 999_999)
    }

    @Test("The number of attributes of an element is limited, and that of the defaults in the DOCTYPE")
    func attributes() throws {
        let nine = (0..<9).map { " a\($0)='x'" }.joined()
        let found = try #require(try Self.fault("<dict><key>Lake</key><string\(nine)>a.jpg</string></dict>"))
        #expect(found.fault == .attributes(limit: 8))
        #expect(found.place.column == 29)
        let defaults = (0..<9).map { " a\($0) CDATA 'x'" }.joined()
        #expect(try Self.fault(Self.photo, subset: "<!ATTLIST string\(defaults)>")?.fault == .attributes(limit: 8))
        let namespaces = (0..<9).map { " xmlns:a\($0)='x'" }.joined()
        #expect(try Self.fault("<dict\(namespaces)/>")?.fault == .attributes(limit: 8))
    }

    @Test("A few attributes are accepted, whoever writes them")
    func fewAttributes() throws {
        let text = """
            <!DOCTYPE plist [<!ELEMENT plist ANY><!ATTLIST plist version CDATA "1.0"><!ATTLIST string a (b|c) "b">]>
            <plist xmlns="http://example.org" xmlns:x="y"><array>
            <string xml:space="preserve" x:y="z">a.jpg</string></array></plist>
            """
        #expect(try ManifestReader(origin: Reading.local).read(Array(text.utf8)).photos.count == 1)
    }

    @Test(
        "The internal subset of a DOCTYPE is not read much further than the limit",
        arguments: [
            ("<!ATTLIST string", " a% CDATA 'x'", ">"), ("<!ATTLIST string a (x", "|v%", ") 'x'>"),
            ("", "<!ENTITY e% 'x'>", ""), ("", "<!ELEMENT e% ANY>", ""), ("<!ELEMENT e (a", ",b%", ")>"),
            ("<!ELEMENT e (#PCDATA", "|b%", ")*>"), ("", "<!NOTATION n% SYSTEM 'x'>", ""), ("", "<?p%?>", ""),
            ("<!ATTLIST string a NOTATION (x", "|n%", ") 'x'>"), ("", "<!ATTLIST e% a CDATA 'x'>", ""),
        ])
    func longSubset(start: String, piece: String, end: String) throws {
        let pieces = (0..<50_000).map { piece.replacing("%", with: String($0)) }.joined()
        let found = try #require(try Self.fault(Self.photo, subset: start + pieces + end))
        #expect(found.fault == .longSubset(limit: 32_000))
        #expect(found.place.column < 32_000 + Self.slack)
    }

    @Test("A comment in the internal subset counts as well")
    func commentInSubset() throws {
        let subset = "<!--\(String(repeating: "x", count: 100_000))-->"
        #expect(try Self.fault(Self.photo, subset: subset)?.fault == .longSubset(limit: 32_000))
    }

    @Test(
        "The number of different names is limited, whatever they name",
        arguments: ["<string a%='x'>a.jpg</string>", "<?a%?>"])
    func names(piece: String) throws {
        let pieces = (0..<100_000).map { piece.replacing("%", with: String($0)) }.joined()
        let found = try #require(try Self.fault("<array>\(pieces)</array>"))
        #expect(found.fault == .names(limit: 10_000))
        #expect(found.place.column < 10_000 * (piece.utf8.count + 5))
    }

    /// To add a catalog, libxml2 2.9 searches all catalogs that were named before, which takes quadratic time.
    @Test("A processing instruction does not add a catalog")
    func catalogs() throws {
        func time(instruction: String) throws -> Duration {
            let instructions = String(repeating: "<?\(instruction) catalog=\"c\"?>", count: 100_000)
            let bytes = Array("\(instructions)<plist>\(Self.photo)</plist>".utf8)
            return try ContinuousClock().measure { _ = try ManifestReader(origin: Reading.local).read(bytes) }
        }
        // With catalogs, reading took 200 times as long.
        #expect(try time(instruction: "oasis-xml-catalog") < time(instruction: "other-instruction") * 20)
    }

    @Test("The names of nested albums are limited together, since each photo's identity contains all of them")
    func albumPath() throws {
        func nested(_ lengths: [Int]) -> String {
            lengths.reduce(Self.photo) { "<dict><key>\(String(repeating: "n", count: $1))</key>\($0)</dict>" }
        }
        #expect(try Reading.manifest(nested([2_000, 2_000])).albums.count == 2)
        let place = TextPosition(file: "photos.plist", line: 4, column: 2024)
        #expect(throws: ManifestError.albumPathTooLong(limit: 4_000, place)) {
            try Reading.manifest(nested([2_001, 2_000]))
        }
        #expect(throws: ManifestError.self) { try Reading.manifest(nested([5_000_000])) }
    }

    @Test("A thousand warnings are kept, and the last one counts the others")
    func remarks() throws {
        let entry = "<dict><key>url</key><string>a.jpg</string><key>rating</key><string>x</string></dict>"
        let entries = (0..<1_500).map { "\(entry)<string>\($0).jpg</string>\n" }.joined()
        let warnings = try Reading.manifest("<array>\(entries)</array>").warnings
        #expect(warnings.count == 1_001)
        // There are 1,500 warnings about ratings, and one about a repeat for each entry but the first.
        #expect(warnings.last?.message == "1999 more warnings from here on")
        let keys = (0..<2_000).map { "<key>captoin\($0)</key><string>x</string>" }.joined()
        let list = "<array><dict><key>url</key><string>a.jpg</string>\(keys)</dict></array>"
        let unknown = try Reading.manifest(list).warnings
        #expect(unknown.count == 1_001)
        #expect(unknown.first?.message.contains("'captoin0'") == true)
    }

    @Test("A cancelled reading ends at the next check, in markup, in texts and among photos")
    func cancellation() throws {
        let photos = String(repeating: "<string>a.jpg</string>", count: 20_000)
        let long = "<string>\(String(repeating: "x", count: 400_000))</string>"
        for value in [photos, long, "<!--\(long)--><string>a.jpg</string>"] {
            let bytes = GeneratedManifests.plist("<array>\(value)</array>")
            let asked = Counter()
            _ = try? ManifestReader(origin: Reading.local).read(bytes) { asked.next() < 0 }
            let all = asked.count
            // The check happens every few kilobytes, and not for each tag.
            #expect((bytes.count / 8_000...bytes.count / 500).contains(all))
            for last in [0, all / 2, all - 1] {
                let asked = Counter()
                #expect(throws: ManifestError.cancelled) {
                    try ManifestReader(origin: Reading.local).read(bytes) { asked.next() >= last }
                }
                #expect(asked.count == last + 1, "there is no check after the one that cancels")
            }
        }
    }

    private final class Counter {
        private(set) var count = 0

        /// - Returns: the number of earlier calls.
        func next() -> Int {
            defer { count += 1 }
            return count
        }
    }
}
