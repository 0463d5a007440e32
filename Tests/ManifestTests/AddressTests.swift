import Manifest
import PhotoModel
import TestSupport
import Testing

/// The resolution of the addresses in a manifest.
@Suite struct AddressTests {
    @Test(
        "An http address is kept, and characters that a URL may not have are percent-encoded",
        arguments: [
            ("http://example.org/a.jpg", "http://example.org/a.jpg"),
            ("  HTTPS://Example.org\n", "https://Example.org/"),
            ("http://example.org?x=1", "http://example.org/?x=1"),
            ("http://example.org/a b/ü\"{}.jpg?q=ä b#f", "http://example.org/a%20b/%C3%BC%22%7B%7D.jpg?q=%C3%A4%20b#f"),
            ("http://example.org/100%25/50%.jpg", "http://example.org/100%25/50%.jpg"),
            (#"http://example.org/a\b.jpg"#, "http://example.org/a/b.jpg"),
            ("http://me:pa%40ss@example.org:8080/a.jpg", "http://me:pa%40ss@example.org:8080/a.jpg"),
            ("http://example.org:/a.jpg", "http://example.org/a.jpg"),
            ("http://example.org:00080/", "http://example.org:80/"),
            ("http://bücher.example/ü", "http://bücher.example/%C3%BC"),
            ("http://[2001:db8::1]:81/", "http://[2001:db8::1]:81/"),
            ("http://[::ffff:192.0.2.1]/", "http://[::ffff:192.0.2.1]/"),
            ("http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/"),
            ("http://[fe80::1%eth0]/", "http://[fe80::1%25eth0]/"), ("http://127.1/a", "http://127.0.0.1/a"),
            ("http://[2001:DB8:0::1]/", "http://[2001:db8::1]/"), ("http://example.org/a?#", "http://example.org/a"),
            ("http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3:4:5:6:7:8]/"), ("http://[::]/", "http://[::]/"),
        ])
    func http(_ written: String, url: String) throws {
        #expect(try Reading.photo(address: written).location == .remote(url))
    }

    @Test(
        "Invisible characters before or in a scheme are removed, and names have no query",
        arguments: ["\u{FEFF}http", "\u{200B}\u{FEFF}http", "ht\u{FEFF}tp", "HT\u{2060}TP", "http\u{200B}"],
        [Reading.local, Reading.remote])
    func invisible(scheme: String, origin: ManifestOrigin) throws {
        let list = "<array><string>\(scheme)://user:pass@host.example/lake.jpg?QUERY</string></array>"
        let photo = try Reading.manifest(list, origin: origin).photos[0]
        #expect(photo.location == .remote("http://user:pass@host.example/lake.jpg?QUERY"))
        #expect(photo.name == "lake" && photo.shownSource.lowercased() == "http://host.example/lake.jpg")
    }

    /// An address with a capitalised scheme is always parsed.
    @Test("An address that is used without parsing is the same as its parsed form")
    func plainHTTP() throws {
        let hosts = [
            "a", "Photos.example", "127.0.0.1", "a-b", "1.2", "", "a_b", "a%41", "me@a", "[::1]", "a:80", "a:080",
            "a:65535",
            "a:65536", "a:59999", "a:99999", "a:0", "a:", "a:8x", "a:1:2", "a b",
        ]
        let pieces = [
            "/", "a", "7", ".", "..", "~", "%20", "%", "?", "#", "=", "+", "@", ":", "'", "^", "`", "{", "|", "}", "[",
            "]",
            " ", #"\"#, "\"", "!", "ü", String(repeating: "long", count: 40),
        ]
        var random = SeededRandom(seed: 30)
        for host in hosts {
            var addresses: [String] = []
            for _ in 0..<100 {
                let rest = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
                addresses.append("://\(host)\(rest)")
            }
            let entries = addresses.enumerated().flatMap { number, address in
                ["http", "HTTP"].map { (name: "\(number) \($0)", address: $0 + address) }
            }
            let photos = try Reading.photos(entries)
            for number in addresses.indices {
                let (plain, parsed) = (photos[2 * number], photos[2 * number + 1])
                #expect(plain.location == parsed.location, "http\(addresses[number])")
                #expect(plain.failureCode == parsed.failureCode, "http\(addresses[number])")
                if case (.success(let source), .success(let other)) = (plain.source, parsed.source) {
                    #expect(source.shown == other.shown.replacing("HTTP:", with: "http:"))
                }
            }
        }
    }

    @Test(
        "An http address without a valid host fails its photo alone",
        arguments: [
            "", " \n", "http:", "http:/", "http://", "http:///a.jpg", "http://:80/", "http://me@/", "http:a.jpg",
            "http://example.org:0/", "http://example.org:65536/", "http://example.org:8x/", "http://example.org:-1/",
            "http://exa mple.org/", "http://exa%20mple.org/", "http://a|b/", #"http://good.example\@evil.example/"#,
            "http://[::1/", "http://[]/", "http://[1:2:3]/", "http://[1::2::3]/", "http://[12345::]/", "http://[::1]x/",
            "http://[::1.2.3]/", "http://[::1.2.3.256]/", "http://[1.2.3.4::]/",
            "http://[1:2:3:4:5:6:7::8]/", "http://a:b:c/", "http://example.org/a\u{7F}b", "http://example.org/a\tb",
        ])
    func badHTTP(_ written: String) throws {
        #expect(try Reading.photo(address: written).failureCode == .badAddress)
    }

    @Test(
        "Other schemes fail their photo alone, and the reason names the scheme",
        arguments: [
            ("ftp://example.org/a.jpg", "ftp"), ("JavaScript:alert(1)", "javascript"), (#"C:\photos\a.jpg"#, "c"),
            ("photo-library://42", "photo-library"), ("data:image/png;base64,AAAA", "data"), ("x+y.z-1:a", "x+y.z-1"),
        ])
    func schemes(_ written: String, scheme: String) throws {
        guard case .failure(let failure) = try Reading.photo(address: written).source else {
            Issue.record("\(written) is taken")
            return
        }
        #expect(failure == .unsupportedScheme(scheme))
    }

    @Test(
        "In a local manifest, a path is not decoded and is relative to the manifest's folder",
        arguments: [
            ("a.jpg", "/galleries/club/a.jpg"), ("./b/../a.jpg", "/galleries/club/a.jpg"),
            ("../a//b.jpg", "/galleries/a/b.jpg"), ("../../../../etc/passwd", "/etc/passwd"),
            ("/srv/./a.jpg", "/srv/a.jpg"), ("hash#1?x=%20.jpg", "/galleries/club/hash#1?x=%20.jpg"),
            ("12:30.jpg", "/galleries/club/12:30.jpg"), ("./a:b.jpg", "/galleries/club/a:b.jpg"),
            ("..%2f..%2fa.jpg", "/galleries/club/..%2f..%2fa.jpg"), (#"..\a.jpg"#, #"/galleries/club/..\a.jpg"#),
            ("//host/a.jpg", "/host/a.jpg"), ("~/a.jpg", "/galleries/club/~/a.jpg"), ("...", "/galleries/club/..."),
            ("é/e\u{301}.jpg", "/galleries/club/é/e\u{301}.jpg"), ("..", "/galleries"), ("/", "/"),
        ])
    func paths(_ written: String, path: String) throws {
        let location = try Reading.photo(address: written).location
        guard case .file(let found) = location else {
            Issue.record("\(String(describing: location))")
            return
        }
        #expect(Array(found.utf8) == Array(path.utf8))
    }

    @Test(
        "A file URL is decoded, and must be absolute and of this machine",
        arguments: [
            ("file:///srv/a%20b%23.jpg", "/srv/a b#.jpg"), ("FILE://LOCALHOST/a.jpg", "/a.jpg"),
            ("file:/srv/../a.jpg", "/a.jpg"), ("file:///a.jpg?x#y", "/a.jpg"), ("file://server/a.jpg", nil),
            ("file:a.jpg", nil), ("file://", nil), ("file:///a%00.jpg", nil), ("file:///a%2.jpg", nil),
            ("file:///%FF.jpg", nil),
        ])
    func fileURLs(_ written: String, path: String?) throws {
        let photo = try Reading.photo(address: written)
        #expect(photo.location == path.map { .file($0) })
        #expect(photo.failureCode == (path == nil ? .badAddress : nil))
        #expect(try Reading.photo(address: written, origin: Reading.remote).failureCode == .unsupportedScheme)
    }

    @Test("In a manifest from standard input, paths are relative to the given folder")
    func standardInput() throws {
        let photo = try Reading.photo(address: "a.jpg", origin: .standardInput(directory: "/srv/lists"))
        #expect(photo.location == .file("/srv/lists/a.jpg"))
        #expect(photo.position.description.hasPrefix("standard input:4:"))
    }

    @Test(
        "In a manifest from a URL, relative addresses are resolved by RFC 3986 §5.4",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
            ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        ])
    func resolution(_ reference: String, url: String) throws {
        let origin = ManifestOrigin.remote(url: "http://a/b/c/d;p?q#z", shown: "http://a/b/c/d;p")
        #expect(try Reading.photo(address: reference, origin: origin).location == .remote(url))
    }

    @Test("A relative address in a manifest from a URL is fetched with the manifest's credentials, and shown without")
    func inheritedCredentials() throws {
        let photo = try Reading.photo(address: "../a b.jpg?token=1", origin: Reading.remote)
        #expect(photo.location == .remote("http://me:secret@example.org/a%20b.jpg?token=1"))
        #expect(photo.shownSource == "http://example.org/a b.jpg")
    }

    @Test(
        "An address is shown without user, password, query and fragment, whether it is usable or not",
        arguments: [
            ("http://me:secret@example.org:81/a.jpg?key=secret#secret", "http://example.org:81/a.jpg"),
            ("https://me:sec@ret@example.org/ü.jpg", "https://…"),
            ("HTTPS://me:secret@example.org/ü.jpg", "https://example.org/ü.jpg"),
            ("ftp://me:secret@example.org/a.jpg?secret", "ftp://example.org/a.jpg"),
            ("http:me:secret@example.org/a.jpg", "http://…"),
            ("http://me:secret@[::1/a.jpg?secret", "http://…"),
            ("//me:secret@host/a.jpg?secret", "//host/a.jpg"),
            ("files/hash#1?.jpg", "files/hash#1?.jpg"), ("../a/./b.jpg", "../a/./b.jpg"), ("", ""),
        ])
    func shown(_ written: String, shown: String) throws {
        let photo = try Reading.photo(address: written)
        #expect(photo.shownSource == shown)
        if case .success(let source) = photo.source { #expect(source.shown == shown) }
        if case .failure(let failure) = photo.source { #expect(!Reason(failure).message.contains("secret")) }
    }

    @Test("A long address is cut off only where it is shown")
    func longAddress() throws {
        let path = String(repeating: "é", count: 300) + ".jpg"
        let photo = try Reading.photo(address: path)
        #expect(photo.shownSource == String(repeating: "é", count: 199) + "…")
        #expect(photo.location == .file("/galleries/club/\(path)"))
        #expect(try Reading.photo(address: "a\u{9B}31m.jpg").shownSource == "a\u{FFFD}31m.jpg")
    }

    @Test("Files are identified by their path relative to the manifest, so that slugs are the same on any machine")
    func machineIndependence() throws {
        func keys(in folder: String) throws -> [String] {
            let origin = ManifestOrigin.file(path: folder + "/list.plist", shown: "list.plist")
            return try ["a.jpg", "./x/../a.jpg", "../b/c.jpg", "/srv/a.jpg"].map {
                try Reading.photo(address: $0, origin: origin).addressKey
            }
        }
        #expect(try keys(in: "/home/me/gallery") == ["path:a.jpg", "path:a.jpg", "path:../b/c.jpg", "file:/srv/a.jpg"])
        #expect(try keys(in: "/Users/you/gallery") == keys(in: "/home/me/gallery"))
    }
}
