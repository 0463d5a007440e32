import Downloads
import TestSupport
import Testing

/// Only addresses that are already in the form of a request skip libcurl's parser. A scheme in capitals makes libcurl's
/// parser take the same address.
@Suite("Addresses that are parsed without libcurl's parser")
struct PlainAddressTests {
    private static let hosts = [
        "a", "z9", "photos.example", "a-b.c", "xn--bcher-kva.example", "example.org.", "127.0.0.1", "10.0.0.255",
        "0.0.0.0", "1.2.3", "1.2.3.4.5", "1.2.3.04", "1.2.3.256", "1..2.3", "0x7f.1", "127.1", "2130706433", "1.2.3.4.",
        "1.2.3.a", "-a", ".a", "a..b", "A.example", "a_b", "user@a", "a,b", "[::1]", "a%41", "",
    ]
    private static let ports = [
        "", ":", ":1", ":80", ":443", ":8080", ":65535", ":65536", ":99999", ":0", ":080", ":123456", ":8a", ":-1",
        ":1:2",
    ]

    @Test("The host and port of a plain address are those that libcurl's parser finds")
    func hostsAndPorts() {
        for host in Self.hosts {
            for port in Self.ports {
                var headers = HostHeaders()
                // Header fields can't be configured for an invalid address.
                guard (try? headers.add("X-Key", "secret", to: "http://" + host + port)) != nil else { continue }
                for scheme in ["http", "https"] {
                    #expect(
                        headers.lines(for: "\(scheme)://\(host)\(port)/") == ["X-Key: secret"],
                        "\(scheme)://\(host)\(port)")
                }
            }
        }
    }

    @Test("The path of a plain address is requested as libcurl's parser would request it")
    func paths() {
        let pieces = [
            "/", "a", "Z", "7", ".", "..", "~", "-", "_", "%20", "%2e", "%zz", "%", "?", "#", "&", "=", "+", "@", ":",
            ";",
            ",", "'", "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "[", "]", " ", "\u{7F}", "ü", "!", "$", "*", "(",
            ")",
        ]
        var random = SeededRandom(seed: 20)
        for host in Self.hosts + ["photos.example", "127.0.0.1:8080", "127.0.0.1:080"] {
            for _ in 0..<300 {
                let rest = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    pieces.randomElement(using: &random) ?? ""
                }.joined()
                let address = "://\(host)\(rest)"
                let parsed = RequestKey("HTTPS" + address).text
                // An address that can't be requested is its own key.
                let expected = parsed.hasPrefix("HTTPS") ? "https" + parsed.dropFirst(5) : parsed
                #expect(RequestKey("https" + address).text == expected)
            }
        }
    }
}
