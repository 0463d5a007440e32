import Manifest
import PhotoModel
import Testing

/// No spelling of a user and a password is shown in an address. If it isn't certain which part is which, only the
/// scheme is shown.
@Suite struct ShownAddressTests {
    private static let passwords = [
        "pa/ss", "pa?ss", "pa#ss", "pa@ss", "pa:ss", "/pass", "pass/", "80/ss", "8?0/ss", "80#ss", "pa%2Fss", "p%40ss",
        #"pa\ss"#,
        "p a", "pa//ss", "1/../ss", "pa?x=1&y#ss", "80", "pa%2540ss", "päss", "80@80/ss",
    ].map { "\($0)SECRET" }

    /// The spellings have USER and PASSWORD in place of the secrets.
    private static let spellings = [
        "https://USER:PASSWORD@host.example/x.jpg", "HTTPS://USER:PASSWORD@host.example/x.jpg",
        "https:///USER:PASSWORD@host.example/x.jpg", "https:/USER:PASSWORD@host.example/x.jpg",
        "https:USER:PASSWORD@host.example/x.jpg", "//USER:PASSWORD@host.example/x.jpg", "//USER:PASSWORD@host.example/",
        "https://USER:PASSWORD@h%6Fst.example/", "x-unknown://USER:PASSWORD@h%6Fst.example",
        "USER:PASSWORD@host.example/x.jpg", "https://USER:PASSWORD%40host.example/x.jpg",
        "https://USER:PASSWORD＠host.example/x.jpg", "https://USER：PASSWORD@host.example/x.jpg",
        "https://USER%3APASSWORD@host.example/x.jpg", "USER%3APASSWORD@host.example/x.jpg",
        "\u{FEFF}https://USER:PASSWORD@host.example/x.jpg", "ht\u{FEFF}tps://USER:PASSWORD@host.example/x.jpg",
        "https\u{200B}://USER:PASSWORD@host.example/x.jpg", " https://USER:PASSWORD@host.example/x.jpg",
        "ht tps://USER:PASSWORD@host.example/x.jpg", "https ://USER:PASSWORD@host.example/x.jpg",
        "ht\ttps://USER:PASSWORD@host.example/x.jpg", "https:/\n/USER:PASSWORD@host.example/x.jpg",
        "\u{A0}https://USER:PASSWORD@host.example/x.jpg", #"https:\\USER:PASSWORD@host.example/x.jpg"#,
        #"https:/\USER:PASSWORD@host.example/x.jpg"#, "ｈttps://USER:PASSWORD@host.example/x.jpg",
        "https：//USER:PASSWORD@host.example/x.jpg", "https%3A//USER:PASSWORD@host.example/x.jpg",
        "https%3A%2F%2FUSER%3APASSWORD%40host.example/x.jpg", "://USER:PASSWORD@host.example/x.jpg",
        "url=https://USER:PASSWORD@host.example/x.jpg", "https://https://USER:PASSWORD@host.example/x.jpg",
        "ftp://USER:PASSWORD@host.example/x.jpg", "s3://USER:PASSWORD@bucket/x.jpg", "s3:USER:PASSWORD@bucket/x.jpg",
        "file://USER:PASSWORD@host.example/x.jpg", "file:///USER:PASSWORD@host.example/x.jpg",
        "x-unknown://USER:PASSWORD@host.example/x.jpg", "https://USER:PASSWORD@[2001:db8::1]/x.jpg",
        "https://USER:PASSWORD@[2001:db8::1/x.jpg", "https://USER:PASSWORD@host.example:8080/x.jpg",
        "https://USER:PASSWORD@host.example/x@2x.jpg", "https://USER:PASSWORD@", "https://USER:PASSWORD@/x.jpg",
        "https://USER:PASSWORD@host.example", "https://USER:PASSWORD@host.example?x=1#y",
        "https://USER:PASSWORD@127.0.0.1/x.jpg", "https://USER:PASSWORD@localhost:80/x.jpg",
        "data:image/png;base64,USER:PASSWORD@", "javascript:USER:PASSWORD@", "mailto:USER:PASSWORD@host.example",
    ]

    /// Everything that a page, a message or a file may show of a photo.
    private static func told(_ photo: ManifestPhoto) -> String {
        let address =
            switch photo.source {
            case .success(let source): source.shown
            case .failure(let failure): Reason(failure).message
            }
        return "\(photo.name) \(photo.shownSource) \(address)"
    }

    private static func hides(_ text: String) -> Bool {
        !["SECRET", "USER", "first.last", "pa", "ss", "päss"].contains { text.contains($0) }
    }

    @Test("No spelling of an address shows a user or a password", arguments: spellings)
    func spelling(_ spelling: String) throws {
        for password in Self.passwords {
            for user in ["USER", "first.lastUSER"] {
                let written = spelling.replacing("USER", with: user).replacing("PASSWORD", with: password)
                let shown = ShownAddress.url(written).replacing("https", with: "")
                #expect(Self.hides(shown), "\(written) is shown as \(shown)")
                let escaped = written.replacing("&", with: "&amp;")
                for origin in [Reading.local, Reading.remote] {
                    let list = "<array><string>\(escaped)</string></array>"
                    let photo = try Reading.manifest(list, origin: origin).photos[0]
                    let told = Self.told(photo).replacing("https", with: "").replacing("password", with: "")
                        .replacing(" path ", with: "")
                    #expect(!told.contains("SECRET") && !told.contains("USER"), "\(written) is told as \(told)")
                }
                let message = ShownAddress.message("Error: unexpected argument '\(written)' here")
                #expect(!message.contains("SECRET"), "\(written) in a message: \(message)")
                #expect(message.hasPrefix("Error: "))
            }
        }
    }

    @Test(
        "An address without a password is shown whole",
        arguments: [
            "https://example.org/a.jpg", "http://localhost:8080/a@2x.jpg", "https://example.org/@me/a.jpg",
            "https://live.example.org/photos/12345@N00/a.jpg", "http://127.0.0.1:81/a@2x.jpg",
            "http://[::1]:81/a@2x.jpg", "https://bücher.example/ü.jpg", "https://example.org:8080/a:b.jpg",
            "files/a@2x.jpg", "a.jpg", "../me@home/a.jpg",
            "12:30.jpg", "ftp://example.org/a.jpg", "file:///srv/a b.jpg", #"C:\photos\a.jpg"#, "~/a.jpg",
        ])
    func harmless(_ written: String) throws {
        #expect(try Reading.photo(address: written).shownSource == written)
        #expect(ShownAddress.message("about '\(written)'") == "about '\(written)'")
    }

    @Test(
        "A token that is written as a user, and looks like a host, is not shown",
        arguments: [
            "https://tok.EN/rest@host.example/a.jpg", "https://SECRETX.y/z/@host@example.org/a.jpg",
            "https://localhost:1234/SECRET@host/a.jpg", "http://127.0.0.1:81/SECRET@host/a.jpg",
            "http://0.80..:/SECRET/@host.example",
            "https://SECRET.x/%40host/a.jpg", "https://SECRET.x/12345@Nobody/a.jpg", "https://SECRET.x/a@2y.jpg",
        ])
    func tokens(_ written: String) throws {
        #expect(["https://…", "http://…"].contains(try Reading.photo(address: written).shownSource))
    }

    @Test(
        "Of an address without a host, only the scheme is shown",
        arguments: [
            ("data:image/png;base64,AAAA", "data:…"), ("javascript:alert(1)", "javascript:…"),
            ("http:a.jpg", "http://…"),
            ("https://pa:ss", "https://…"), ("me:pass@host", "…"), ("https://host/?a@b:c", "https://…"),
            (String(repeating: "x", count: 1_000) + ":y", "…"), ("example.org/a.jpg?token=1", "example.org/a.jpg"),
        ])
    func scheme(_ written: String, shown: String) throws {
        let photo = try Reading.photo(address: written)
        #expect(photo.shownSource == shown)
        if case .failure(let failure) = photo.source { #expect(Reason(failure).message.utf8.count < 200) }
    }

    @Test("A relative address is shown without the user of its manifest, even if its path has at signs")
    func relative() throws {
        let photo = try Reading.photo(address: "a@2x.jpg", origin: Reading.remote)
        #expect(photo.shownSource == "http://example.org/lists/a@2x.jpg")
    }

    @Test(
        "A link that may contain a password is left out",
        arguments: ["https://USER:80/80@host/", "USER:pass@host", "https://USER@b/"])
    func links(_ link: String) throws {
        let manifest = try Reading.entry("<key>link</key><string>\(link)</string>")
        #expect(manifest.photos[0].details.link == nil)
        #expect(manifest.warnings.count == 1)
        let message = manifest.warnings[0].message
        #expect(!message.lowercased().contains("user:") && !message.contains("USER"), "\(message)")
    }

    @Test("The time to show a long address is linear in its length")
    func longAddresses() throws {
        for piece in ["@", ":", "%25", "%", "＠", "a@b:", "../", "[", ":/"] {
            let long = String(repeating: piece, count: 100_000)
            for address in ["https://\(long)", "https://example.org/\(long)", long] {
                #expect(ShownAddress.url(address).unicodeScalars.count <= 200)
            }
        }
    }
}
