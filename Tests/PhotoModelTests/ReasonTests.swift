import Foundation
import PhotoModel
import Testing

/// The codes and messages of failures, which are shown in status.json and on the pages.
@Suite struct ReasonTests {
    /// Each failure with its documented code, and a text that its message must contain.
    static let failures: [(Failure, String, String)] = [
        (.notFound(status: 410), "not-found", "410"),
        (.forbidden(status: 401), "forbidden", "401"),
        (.httpStatus(503), "http-status", "503"),
        (.dns(host: "example.org"), "dns", "example.org"),
        (.connect(host: "example.org"), "connect", "example.org"),
        (.tls(host: "example.org", detail: "expired"), "tls", "expired"),
        (.proxy(host: "proxy.example", .unknown), "dns", "Unknown proxy proxy.example"),
        (.proxy(host: "proxy.example", .unreachable), "connect", "proxy proxy.example can't be reached"),
        (.proxy(host: "proxy.example", .refused(host: "example.org", status: nil)), "connect", "example.org"),
        (
            .proxy(host: "proxy.example", .refused(host: "example.org", status: 403)), "connect",
            "example.org (status 403)"
        ),
        (.proxy(host: "proxy.example", .wantsPassword), "http-status", "proxy proxy.example requires a user"),
        (.proxy(host: "proxy.example", .tls(detail: "expired")), "tls", "the proxy proxy.example: expired"),
        (.proxy(host: "proxy.example", .slow(seconds: 10)), "timeout", "within 10 s"),
        (.timeout(seconds: 90), "timeout", "90 s"),
        (.stalled(seconds: 0.5), "stalled", "nothing for 0.5 s"),
        (.interrupted, "interrupted", "connection was lost"),
        (.tooManyRedirects(limit: 5), "too-many-redirects", "more than 5"),
        (.blockedAddress(host: "nas.lan", .privateNetwork), "blocked-address", "nas.lan"),
        (.blockedAddress(host: "nas.lan", .privateNetwork), "blocked-address", "--allow-private allows it"),
        (.blockedAddress(host: "photos.example", .machine), "blocked-address", "IP address or as localhost"),
        (.blockedAddress(host: "10.0.0.1", .afterPublic), "blocked-address", "redirects from public servers"),
        (.unsupportedScheme("ftp"), "unsupported-scheme", "ftp:"),
        (.tooLarge(limit: 20_000_000), "too-large", "20 MB"),
        (.tooLarge(limit: 1_500), "too-large", "1.5 kB"),
        (.tooLarge(limit: 999), "too-large", "999 bytes"),
        (.notAnImage(.webPage), "not-an-image", "a web page"),
        (.unsupportedFormat("AVIF"), "unsupported-format", "AVIF"),
        (.truncated, "truncated", "cut off"),
        (.corrupt("bad Huffman code"), "corrupt", "bad Huffman code"),
        (.damaged(.contentEncoding), "corrupt", "can't be undone"),
        (.tooManyPixels(width: 65_000, height: 64_000, limit: 200_000_000), "too-many-pixels", "65000 × 64000"),
        (.sideTooLong(width: 90_000_000, height: 2, limit: 1_000_000), "too-many-pixels", "90000000 × 2"),
        (.tooMuchMemory(needed: 830_400_000, limit: 512_000_000), "too-large", "more than the limit of 512 MB"),
        (.tooMuchMemory(needed: 830_400_000, limit: 512_000_000), "too-large", "--memory 850MB would allow it"),
        (.tooMuchMemory(needed: 512_000_001, limit: 512_000_000), "too-large", "513 MB"),
        (.tooMuchMemory(needed: 1_400_000_001, limit: 512_000_000), "too-large", "--memory 1500MB"),
        (.tooMuchMemory(needed: 100, limit: 1), "too-large", "--memory 50MB"),
        (.noMemory(needed: 830_400_000), "too-large", "831 MB of memory"),
        (.missingFile("a.jpg"), "missing-file", "a.jpg"),
        (.unreadableFile("a.jpg", .folder), "unreadable-file", "it is a folder"),
        (.fileError("a.jpg", errno: EIO), "unreadable-file", "Input/output error"),
        (.badAddress(.empty), "bad-address", "it is empty"),
        (.otherContent(Digest(of: "other")), "changed", "other bytes"),
        (.malformedAddress("bad port number"), "bad-address", "bad port number"),
    ]

    @Test("Each failure has its code and one sentence with its facts", arguments: failures.indices)
    func words(_ index: Int) {
        let (failure, code, fact) = Self.failures[index]
        let reason = Reason(failure)
        #expect(reason.code.rawValue == code)
        #expect(reason.message.contains(fact))
        #expect(reason.message.hasSuffix("."))
        #expect(!reason.message.contains("\n"))
    }

    @Test("Each failure is restored from its English sentence", arguments: failures.indices)
    func readBack(_ index: Int) {
        let reason = Reason(Self.failures[index].0)
        let read = Reason(code: reason.code, message: reason.message)
        #expect(read.sentence == reason.sentence && read.message == reason.message)
        #expect(Reason.areSame(read, reason))
    }

    @Test("Each value is stored as a fact and read again", arguments: failures.indices)
    func stored(_ index: Int) throws {
        let arguments = Reason(Self.failures[index].0).arguments
        let json = try JSONEncoder().encode(arguments)
        #expect(try JSONDecoder().decode([String: ReasonArgument].self, from: json) == arguments)
    }

    @Test("A value that was stored as text keeps its text, and the text of a known phrase becomes that phrase")
    func storedWords() throws {
        let json = Data(#"{"phrase":"a web page","size":"20 MB"}"#.utf8)
        let arguments = try JSONDecoder().decode([String: ReasonArgument].self, from: json)
        #expect(arguments == ["phrase": .content(.webPage), "size": .text("20 MB")])
        let old = Reason(.tooLarge, .tooLarge, arguments)
        #expect(Reason.areSame(old, Reason(.tooLarge(limit: 20_000_000))))
        #expect(!Reason.areSame(old, Reason(.tooLarge(limit: 30_000_000))))
    }

    @Test(
        "A fact of a newer version can't be read",
        arguments: [#"{"a":{"colour":"red"}}"#, #"{"a":{"content":"x"}}"#])
    func unknownFact(_ json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([String: ReasonArgument].self, from: Data(json.utf8))
        }
    }

    @Test("If the facts of a sentence are unknown, the code alone tells whether the failure is the same")
    func sameFailure() {
        let old = Reason(code: .forbidden, message: "The server does not let us have it (status 403).")
        #expect(old.sentence == .verbatim)
        #expect(Reason.areSame(old, Reason(.forbidden(status: 403))))
        #expect(!Reason.areSame(old, Reason(.notFound(status: 404))))
        #expect(Reason.areSame(nil, nil) && !Reason.areSame(old, nil) && !Reason.areSame(nil, old))
    }

    @Test("A sentence that no pattern of its code matches is kept as it is")
    func verbatim() {
        let reason = Reason(code: .notFound, message: "Gone.")
        #expect(reason.sentence == .verbatim && reason.message == "Gone.")
    }

    @Test("Each sentence but one has a code and a wording of its own")
    func sentences() {
        #expect(ReasonSentence.allCases.filter { $0.code == nil } == [.verbatim])
        #expect(Set(ReasonSentence.allCases.map(\.english)).count == ReasonSentence.allCases.count)
        #expect(Set(Self.failures.map { Reason($0.0).sentence }).count == ReasonSentence.allCases.count - 1)
    }

    @Test("Every documented code belongs to a failure")
    func complete() {
        #expect(Set(Self.failures.map(\.1)) == Set(ReasonCode.allCases.map(\.rawValue)))
    }
}
