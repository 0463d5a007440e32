import Addresses
import TestSupport
import Testing

@Suite("Plain URLs that are read without libcurl's parser")
struct PlainURLTests {
    private static let hosts = [
        "a", "z9", "photos.example", "a-b.c", "xn--bcher-kva.example", "example.org.", "127.0.0.1", "10.0.0.255",
        "0.0.0.0", "1.2.3", "1.2.3.4.5", "1.2.3.04", "1.2.3.256", "1..2.3", "0x7f.1", "127.1", "2130706433", "1.2.3.4.",
        "1.2.3.a", "-a", ".a", "a..b", "A.example", "a_b", "user@a", "a,b", "[::1]", "a%41", "", "ü",
    ]
    private static let ports = [
        "", "", "", ":", ":1", ":80", ":443", ":8080", ":65535", ":65536", ":99999", ":0", ":080", ":123456", ":8a",
        ":-1", ":1:2",
    ]
    private static let pieces = [
        "/", "/", "/", "a", "Z", "7", ".", "..", "~", "-", "_", "%20", "%2e", "%40", "%25", "%zz", "%", "?", "#", "&",
        "=", "+", "@", ":", ";", ",", "'", "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "[", "]", " ", "\u{7F}", "ü",
        "!", "$", "*", "(", ")",
    ]

    @Test("A plain URL has the parts that libcurl finds in it, and is written as libcurl would write it")
    func sameParts() throws {
        var random = SeededRandom(seed: 20)
        var plain = 0
        for _ in 0..<60_000 {
            let rest = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                Self.pieces.randomElement(using: &random) ?? ""
            }
            let scheme = Bool.random(using: &random) ? "http" : "https"
            let host = Self.hosts.randomElement(using: &random) ?? ""
            let port = Self.ports.randomElement(using: &random) ?? ""
            let text = "\(scheme)://\(host)\(port)/\(rest.joined())"
            guard let found = PlainURL(text) else {
                #expect(!PlainURL.isPlain(text))
                continue
            }
            plain += 1
            #expect(PlainURL.isPlain(text))
            for keepsDots in [false, true] {
                let parsed = try ParsedURL(text, keepsDots: keepsDots)
                #expect(parsed.text == text)
                #expect(found.host == parsed.host && found.isSecure == (parsed.scheme == "https"))
                #expect(found.port == parsed.port ?? (found.isSecure ? 443 : 80))
                #expect(found.hostAndPort == "\(found.host):\(found.port)")
                #expect(parsed.userInfo == nil && parsed.query == nil && parsed.fragment == nil)
            }
        }
        #expect(plain > 1000)
    }
}
