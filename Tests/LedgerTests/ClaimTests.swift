import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("Files that a publication claims before it puts them in place") struct ClaimTests {
    private let folder = TemporaryFolder()
    private let old = OwnedFile(digest: Digest(of: "1"), bytes: 1, key: "old")
    private let new = OwnedFile(digest: Digest(of: "2"), bytes: 2, key: "new")

    private func open() throws -> Ledger { try Ledger(path: folder.path + "/ledger.sqlite", gallery: "one") }

    /// Completes a publication.
    private func complete(_ ledger: Ledger, _ owned: [String: OwnedFile] = [:]) throws {
        let site = SiteRow(
            output: "/site", content: Digest(of: "c"), templates: Digest(of: "t"), updated: 7, owned: owned)
        try ledger.record(
            publication: site, changed: Set(owned.keys), photos: [], replacing: [], removing: [], albums: [:])
    }

    @Test("Files that were claimed are known when the publication is completed, and unknown until then")
    func claimedFiles() throws {
        let ledger = try open()
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

    @Test("If a path is claimed twice, it may have the first file until the publication is completed, then the second")
    func claimedTwice() throws {
        let ledger = try open()
        try complete(ledger, ["a": old])
        let last = OwnedFile(digest: Digest(of: "3"), bytes: 3, key: "last")
        try ledger.record(claims: ["a": FileClaim(new, replacing: old.digest)], output: "/site")
        try ledger.record(claims: ["a": FileClaim(last, replacing: new.digest)], output: "/site")
        #expect(try ledger.site(output: "/site")?.owned == ["a": OwnedFile(claiming: 3, replacing: new.digest)])
        try complete(ledger)
        #expect(try ledger.site(output: "/site")?.owned == ["a": last])
    }

    @Test("Claims that are withdrawn leave nothing, and the others of the publication count at its end")
    func withdrawnClaims() throws {
        let ledger = try open()
        try complete(ledger, ["a": old])
        try ledger.record(
            claims: ["a": FileClaim(new, replacing: old.digest), "b": FileClaim(new)], output: "/site")
        try ledger.disown(["b"], output: "/site")
        let unknown = OwnedFile(claiming: 2, replacing: old.digest)
        #expect(try ledger.site(output: "/site")?.owned == ["a": unknown])
        try complete(ledger)
        #expect(try ledger.site(output: "/site")?.owned == ["a": new])
    }

    @Test("What an interrupted publication has left unknown has no digest after the next one, which does not write it")
    func unknownFiles() throws {
        let ledger = try open()
        try complete(ledger, ["a": old])
        try ledger.record(claims: ["a": FileClaim(new, replacing: old.digest), "b": FileClaim(new)], output: "/site")
        let unknown = try #require(try ledger.site(output: "/site")).owned
        for number in 1...2 {
            try ledger.record(claims: ["c": FileClaim(new)], output: "/site")
            try complete(ledger, unknown)
            let kept = OwnedFile(digest: nil, bytes: 2)
            #expect(
                try ledger.site(output: "/site")?.owned == ["a": kept, "b": kept, "c": new], "publication \(number)")
        }
    }
}
