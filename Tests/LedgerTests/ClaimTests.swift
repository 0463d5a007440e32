import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("Files that a publication claims before it puts them in place") struct ClaimTests {
    private let folder = TemporaryFolder()
    private let old = OwnedFile(digest: Digest(of: "1"), bytes: 1, key: "old")
    private let new = OwnedFile(digest: Digest(of: "2"), bytes: 2, key: "new")

    /// Completes a publication.
    private func complete(_ ledger: Ledger, _ owned: [String: OwnedFile] = [:]) throws {
        let site = SiteRow(
            output: "/site", content: Digest(of: "c"), templates: Digest(of: "t"), updated: 7, owned: owned)
        try ledger.record(
            publication: site, changed: Set(owned.keys), photos: [], replacing: [], removing: [], albums: [:])
    }

    @Test("Files that were claimed are known when the publication is completed, and unknown until then")
    func claimedFiles() throws {
        let ledger = try Ledger(path: folder.path + "/ledger.sqlite", gallery: "one")
        try complete(ledger, ["a": old, "b": old])
        try ledger.record(
            claims: ["a": FileClaim(new, replacing: old.digest), "c": FileClaim(new)], output: "/site")
        let interrupted = [
            "a": OwnedFile(claiming: 2, replacing: old.digest), "b": old, "c": OwnedFile(claiming: 2, replacing: nil),
        ]
        #expect(try ledger.site(output: "/site")?.owned == interrupted)
        #expect(try ledger.file(at: "a", output: "/site") == interrupted["a"])
        try complete(ledger)
        #expect(try ledger.site(output: "/site")?.owned == ["a": new, "b": old, "c": new])
        #expect(try ledger.file(at: "a", output: "/site") == new)
    }

    @Test("What an interrupted publication has left unknown stays unknown if the next one does not write it")
    func unknownFiles() throws {
        let ledger = try Ledger(path: folder.path + "/ledger.sqlite", gallery: "one")
        try complete(ledger, ["a": old])
        try ledger.record(claims: ["a": FileClaim(new, replacing: old.digest)], output: "/site")
        let unknown = try #require(try ledger.site(output: "/site")?.owned["a"])
        for number in 1...2 {
            try ledger.record(claims: ["b": FileClaim(new)], output: "/site")
            try complete(ledger, ["a": unknown])
            #expect(try ledger.site(output: "/site")?.owned == ["a": unknown, "b": new], "publication \(number)")
        }
    }
}
