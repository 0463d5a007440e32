import Testing

@testable import Preview

/// Which requests a preview answers.
@Suite("Requests of a preview") struct RequestCheckTests {
    private let check = RequestCheck(port: 4000)

    private func isRefused(_ header: [String: String]) -> Bool { check.refusal { header[$0] } != nil }

    @Test(
        "The preview is reached by the names of this machine",
        arguments: ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000"])
    func ownNames(host: String) {
        #expect(!isRefused(["Host": host]))
    }

    @Test(
        "Other names are refused, even if they lead to this machine",
        arguments: [
            "example.org:4000", "example.org", "127.0.0.1", "localhost", "127.0.0.1:4001", "127.0.0.1.example.org:4000",
            "[::1]:4000", "",
        ])
    func otherNames(host: String) {
        #expect(isRefused(["Host": host]))
    }

    @Test("A request without a host is refused")
    func noHost() { #expect(isRefused([:])) }

    @Test(
        "A page of another origin is refused",
        arguments: ["http://127.0.0.1:4001", "https://127.0.0.1:4000", "http://localhost:4000", "null", ""])
    func otherOrigins(origin: String) {
        #expect(isRefused(["Host": "127.0.0.1:4000", "Origin": origin]))
    }

    @Test("The preview's own pages are answered")
    func ownPages() {
        let own = ["Host": "127.0.0.1:4000", "Origin": "http://127.0.0.1:4000", "Sec-Fetch-Site": "same-origin"]
        #expect(!isRefused(own))
    }

    @Test("Scripts and pictures are not given to pages of other origins", arguments: ["same-site", "cross-site"])
    func embedding(site: String) {
        let header = ["Host": "127.0.0.1:4000", "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"]
        #expect(isRefused(header))
        #expect(isRefused(header.merging(["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"]) { $1 }))
    }

    @Test("A person can follow a link to the preview from anywhere")
    func links() {
        let header = [
            "Host": "127.0.0.1:4000", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document",
        ]
        #expect(!isRefused(header))
    }
}
