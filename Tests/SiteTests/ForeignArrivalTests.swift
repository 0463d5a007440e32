import Foundation
import PhotoModel
import Site
import TestSupport
import Testing

@Suite("A foreign file that appears while the site is published is kept")
struct ForeignArrivalTests {
    private let output = OutputFolder()
    private static let picture = "0123456789abcdef-320.jpg"
    private static let kinds = ["file", "same size", "folder", "link", "dangling link"]

    /// Replaces whatever is at a path with a foreign file, folder or link.
    private func arrive(_ kind: String, at path: String) throws {
        let full = output.path + "/" + path
        let files = FileManager.default
        try files.createDirectory(
            atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try? files.removeItem(atPath: full)
        switch kind {
        case "folder": try files.createDirectory(atPath: full, withIntermediateDirectories: false)
        case "link": try files.createSymbolicLink(atPath: full, withDestinationPath: "../robots.txt")
        case "dangling link": try files.createSymbolicLink(atPath: full, withDestinationPath: "nowhere")
        case "same size": try output.write("1", to: path)
        default: try output.write("theirs", to: path)
        }
    }

    @Test("A foreign file at the path of a new file is named in the error, and all else is as before", arguments: kinds)
    func new(kind: String) throws {
        try output.write("mine", to: "robots.txt")
        for path in ["photo/b.html", "images/\(Self.picture)", "index.html", "assets/a.0123456789abcdef.css"] {
            try publishAround(path, owned: [:]) { try arrive(kind, at: path) }
            try FileManager.default.removeItem(atPath: output.path + "/" + path)
        }
    }

    @Test("A foreign file in place of an old file is named in the error, and all else is as before", arguments: kinds)
    func replaced(kind: String) throws {
        try output.write("mine", to: "robots.txt")
        let pages = ["index.html": "0", "photo/a.html": "0", "photo/b.html": "0"]
        for path in ["photo/b.html", "photo/a.html", "index.html"] {
            let owned = try output.publish(pages).owned
            try publishAround(path, owned: owned) { try arrive(kind, at: path) }
            try FileManager.default.removeItem(atPath: output.path + "/" + path)
        }
    }

    /// - Parameter change: runs after all files are staged, and before the first is put in place.
    private func publishAround(_ path: String, owned: [String: OwnedFile], _ change: () throws -> Void) throws {
        func finish() throws -> (Set<String>, [String: String]) {
            var publisher = try Publisher(output: output.path, owned: owned)
            for page in ["photo/a.html", "assets/a.0123456789abcdef.css", "photo/b.html", "index.html"] {
                try publisher.publish(SiteFile(path: page, bytes: Array("9".utf8)))
            }
            try publisher.publish(picture: "images/\(Self.picture)", from: try output.picture())
            _ = try publisher.claims()
            try change()
            let before = try output.contents().filter { !$0.key.hasPrefix(".gallerygen-") }
            #expect(throws: SiteError.foreign(path: output.path + "/" + path)) {
                _ = try publisher.finish(keeping: [])
            }
            return (publisher.unownedClaims, before)
        }
        let (unownedClaims, before) = try finish()
        let claimed = ["photo/a.html", "assets/a.0123456789abcdef.css", "photo/b.html", "index.html"]
        // A page of the site that is still in place is not restored.
        let kept = claimed.filter { owned[$0] != nil && $0 != path }
        #expect(unownedClaims == Set(claimed + ["images/\(Self.picture)"]).subtracting(kept))
        // Empty folders of gallerygen may stay or be removed, as they contain nothing.
        #expect(try output.contents().filter { $0.value != "/" } == before.filter { $0.value != "/" })
        let folders = before.filter { $0.value == "/" && ["photo", "images", "assets"].contains($0.key) == false }
        #expect(folders.keys.allSatisfy { FileManager.default.fileExists(atPath: output.path + "/" + $0) })
    }

    @Test("A symbolic link in place of one of the site's folders is not followed")
    func linkedFolder() throws {
        let elsewhere = output.scratch.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        func publish() throws {
            var publisher = try Publisher(output: output.path, owned: [:])
            try publisher.publish(SiteFile(path: "photo/a.html", bytes: [1]))
            try FileManager.default.createSymbolicLink(
                atPath: output.path + "/photo", withDestinationPath: "../elsewhere")
            _ = try publisher.finish(keeping: [])
        }
        #expect(throws: SiteError.foreign(path: output.path + "/photo")) { try publish() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    @Test("A page that was removed meanwhile is written again")
    func gone() throws {
        let owned = try output.publish(["index.html": "1", "photo/a.html": "1"]).owned
        var publisher = try Publisher(output: output.path, owned: owned)
        for page in ["photo/a.html", "index.html"] {
            try publisher.publish(SiteFile(path: page, bytes: Array("2".utf8)))
        }
        try FileManager.default.removeItem(atPath: output.path + "/photo/a.html")
        _ = try publisher.finish(keeping: [])
        publisher.finishRemoval()
        #expect(try output.contents() == ["photo": "/", "photo/a.html": "2", "index.html": "2"])
    }

    @Test(
        "A foreign file in place of a page that is to be removed is kept, and its path is no longer recorded",
        arguments: kinds)
    func removed(kind: String) throws {
        try output.write("mine", to: "robots.txt")
        let owned = try output.publish(["index.html": "1", "photo/a.html": "1", "photo/b.html": "1"]).owned
        var publisher = try Publisher(output: output.path, owned: owned)
        try publisher.publish(SiteFile(path: "index.html", bytes: Array("1".utf8)))
        try arrive(kind, at: "photo/a.html")
        let arrived = try output.contents()["photo/a.html"]
        let result = try SitePublication(&publisher)
        publisher.finishRemoval()
        #expect(try output.contents()["photo/a.html"] == arrived)
        #expect(!result.removed.contains("photo/a.html"))
        // Only a folder is reported as an obstacle.
        #expect(result.removalFailures.isEmpty == (kind != "folder"))
        if kind != "folder" { #expect(Set(result.owned.keys) == ["index.html"]) }
    }

    @Test("A foreign file in place of a file that is to be cleaned is kept", arguments: ["file", "same size", "link"])
    func cleaned(kind: String) throws {
        let owned = try output.publish(["index.html": "1", "photo/a.html": "1", "status.json": "1"]).owned
        let cleaner = try SiteCleaner(output: output.path, owned: owned)
        try arrive(kind, at: "photo/a.html")
        try arrive(kind, at: "status.json")
        let arrived = try output.contents()
        try cleaner.remove()
        #expect(try output.contents() == arrived.filter { $0.key != "index.html" })
    }

    @Test("A page that is published twice has its last content")
    func twice() throws {
        let owned = try output.publish(["index.html": "1"]).owned
        for page in ["photo/a.html", "index.html"] {
            var publisher = try Publisher(output: output.path, owned: owned)
            try publisher.publish(SiteFile(path: page, bytes: Array("2".utf8)))
            try publisher.publish(SiteFile(path: page, bytes: Array("3".utf8)))
            _ = try publisher.finish(keeping: ["index.html", "photo/a.html"])
            publisher.finishRemoval()
            #expect(try output.text(page) == "3")
        }
    }
}
