import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import Site

@Suite("Files of the output folder that were found by a scan") struct ScannedFilesTests {
    /// A change of the output folder after a publication and before the next one.
    private struct Happening: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (OutputFolder) throws -> Void
    }

    private static let otherIndex = "the first page has other bytes of the same size"
    private static let happenings = [
        Happening(testDescription: "nothing") { _ in },
        Happening(testDescription: "a page was removed") { output in
            try FileManager.default.removeItem(atPath: output.path + "/photo/a.html")
        },
        Happening(testDescription: "a page has another size") { try $0.write("longer", to: "photo/a.html") },
        Happening(testDescription: "a page has other bytes") { try $0.write("A", to: "photo/a.html") },
        Happening(testDescription: "a script has another size") { try $0.write("", to: "assets/photos.1.js") },
        Happening(testDescription: otherIndex) { try $0.write("INDEX", to: "index.html") },
        Happening(testDescription: "somebody's file is at a new path") { try $0.write("theirs", to: "photo/new.html") },
        Happening(testDescription: "the right file is at a new path") { try $0.write("new", to: "photo/new.html") },
        Happening(testDescription: "a folder is at the path of a page") { output in
            try FileManager.default.removeItem(atPath: output.path + "/photo/a.html")
            try FileManager.default.createDirectory(
                atPath: output.path + "/photo/a.html", withIntermediateDirectories: false)
        },
        Happening(testDescription: "a link is at the path of a page") { output in
            try FileManager.default.removeItem(atPath: output.path + "/photo/a.html")
            try FileManager.default.createSymbolicLink(
                atPath: output.path + "/photo/a.html", withDestinationPath: "../index.html")
        },
        Happening(testDescription: "a folder was replaced by a link") { output in
            try FileManager.default.moveItem(atPath: output.path + "/photo", toPath: output.scratch.path + "/moved")
            try FileManager.default.createSymbolicLink(
                atPath: output.path + "/photo", withDestinationPath: "../moved")
        },
        Happening(testDescription: "the first page was removed") { output in
            try FileManager.default.removeItem(atPath: output.path + "/index.html")
        },
        Happening(testDescription: "the whole site was removed") { output in
            try FileManager.default.removeItem(atPath: output.path)
        },
    ]

    private struct Outcome: Equatable {
        var result: String
        var contents: [String: String]
        var owned: [String: OwnedFile] = [:]
        var claims: [String: FileClaim] = [:]
        var changed: Set<String> = []
    }

    @Test("A publisher that begins with a scan does the same as one that inspects the files", arguments: [true, false])
    func sameResult(hasOtherPermissions: Bool) throws {
        let permissions = SitePermissions(octal: hasOtherPermissions ? "640" : "644")
        let outcomes = try [true, false].map { usesScan in
            let output = OutputFolder()
            let first = try Self.publish(to: output)
            for path in ["index.html", "photo/a.html", "photo/b.html"] { chmod(output.path + "/" + path, 0o644) }
            let scan = try Self.scan(output, first.owned)
            var publisher =
                try usesScan
                ? Self.publisher(output, scan.files, permissions)
                : Publisher(output: output.path, owned: first.owned, permissions: permissions)
            let isComplete = publisher.isComplete
            #expect(isComplete)
            let publication = try Self.publishAgain(with: &publisher, output)
            return Outcome(
                result: "\(publication.written) \(publication.removed) \(publisher.repairPermissions().count)",
                contents: try output.contents(), owned: publication.owned, claims: publication.claims,
                changed: publication.changed)
        }
        #expect(outcomes[0] == outcomes[1])
    }

    @Test("A scan of a site that is not as it was recorded is not used", arguments: happenings.indices)
    func changedBeforeScan(number: Int) throws {
        let output = OutputFolder()
        let first = try Self.publish(to: output)
        try Self.happenings[number].change(output)
        let scan = try Self.scan(output, first.owned)
        let isUsed: Bool
        do {
            _ = try Self.publisher(output, scan.files)
            isUsed = true
        } catch is NoScan {
            isUsed = false
        }
        // The record says nothing about other bytes of the same size, and about new paths.
        let changesNoRecordedSize = scan.damaged.isEmpty && Self.happenings[number].testDescription != Self.otherIndex
        #expect(isUsed == changesNoRecordedSize)
    }

    @Test(
        "Foreign files that appear after the scan are kept, and the next publication completes what this one could not",
        arguments: happenings.indices)
    func changedAfterScan(number: Int) throws {
        let output = OutputFolder()
        let first = try Self.publish(to: output)
        let original = try output.contents()
        let scan = try Self.scan(output, first.owned)
        try Self.happenings[number].change(output)
        let before = try output.contents()
        var owned = first.owned
        do {
            var publisher = try Self.publisher(output, scan.files)
            owned = try Self.publishAgain(with: &publisher, output).owned
        } catch SiteError.foreign {
            #expect(try output.contents() == before)
        } catch is NoScan {
            let reasons = ["the first page was removed", Self.otherIndex, "the whole site was removed"]
            #expect(reasons.contains(Self.happenings[number].testDescription))
        }
        let after = try output.contents()
        for (path, content) in before where original[path] != content {
            #expect(after[path] == content, "\(path) was not written by the site's publisher")
        }
        // The user moves away what the message names.
        for path in ["photo/new.html", "photo/a.html"] where after[path] != nil && original[path] != after[path] {
            try FileManager.default.removeItem(atPath: output.path + "/" + path)
        }
        if after["photo"]?.hasPrefix("->") == true {
            try FileManager.default.removeItem(atPath: output.path + "/photo")
        }
        var publisher = try Publisher(output: output.path, owned: owned)
        _ = try Self.publishAgain(with: &publisher, output)
        let completed = try output.contents()
        for (path, content) in ["photo/a.html": "a", "photo/new.html": "new", "index.html": "index 2"] {
            #expect(completed[path] == content)
        }
    }

    @Test("A scan of another folder is not used, even if the folder has the same path and files")
    func otherFolder() throws {
        let output = OutputFolder()
        let first = try Self.publish(to: output)
        let scan = try Self.scan(output, first.owned)
        try FileManager.default.copyItem(atPath: output.path, toPath: output.path + " copy")
        try FileManager.default.removeItem(atPath: output.path)
        try FileManager.default.moveItem(atPath: output.path + " copy", toPath: output.path)
        #expect(throws: NoScan()) { _ = try Self.publisher(output, scan.files) }
    }

    @Test("A file is damaged if it is missing, has another size, or is reached through a symbolic link")
    func damaged() throws {
        let output = OutputFolder()
        let first = try output.publish([
            "index.html": "index", "photo/a.html": "a", "photo/b.html": "b", "album/a.html": "a",
        ])
        #expect(try Self.scan(output, first.owned).damaged == [])
        try output.write("longer", to: "photo/a.html")
        try FileManager.default.removeItem(atPath: output.path + "/photo/b.html")
        #expect(try Self.scan(output, first.owned).damaged == ["photo/a.html", "photo/b.html"])
        try FileManager.default.moveItem(atPath: output.path + "/album", toPath: output.path + "/images")
        try FileManager.default.createSymbolicLink(
            atPath: output.path + "/album", withDestinationPath: output.path + "/images")
        #expect(try Self.scan(output, first.owned).damaged == ["album/a.html", "photo/a.html", "photo/b.html"])
        let files = try Self.scan(output, first.owned).files
        #expect(files.intactPaths("photo/") == [] && files.intactPaths("index") == ["index.html"])
        let bytes = files.bytes(of: ["index.html", "photo/b.html", "photo/c.html"])
        #expect(bytes == ["index.html": 5, "photo/b.html": 1])
        #expect(try Self.scan(OutputFolder(), first.owned).damaged == first.owned.keys.sorted())
    }

    @Test("The files are handed over once, and only while they are recent")
    func lifetime() throws {
        let output = OutputFolder()
        try Self.publish(to: output)
        let file = ScannedFiles.File(path: "index.html", entry: SiteEntry(file: OwnedFile(digest: nil, bytes: 1)))
        let end = ContinuousClock.now
        let folder = try #require(try Folder.open(output.path))
        func files(_ found: [ScannedFiles.File]) -> ScannedFiles {
            ScannedFiles(found, in: folder, end: end, lifetime: .seconds(3))
        }
        let used = files([file])
        #expect(try used.take(for: folder, now: end + .seconds(3))?.map(\.path) == ["index.html"])
        #expect(try used.take(for: folder, now: end + .seconds(3)) == nil)
        #expect(try files([file]).take(for: folder, now: end + .milliseconds(3001)) == nil)
        let discarded = files([file])
        discarded.discard()
        #expect(try discarded.take(for: folder, now: end) == nil && discarded.intactPaths("").isEmpty)
        #expect(
            try SiteInventory(root: SiteRoot(path: output.path), scanned: [file, file]) == nil,
            "a path that is recorded twice is reported by those who read the record again")
        #expect(throws: NoScan()) { _ = try Self.publisher(output, files([file, file])) }
    }

    private static let picture = "0123456789abcdef-1.jpg"

    @discardableResult
    private static func publish(to output: OutputFolder) throws -> SitePublication {
        try output.publish(
            ["index.html": "index", "photo/a.html": "a", "photo/b.html": "b", "assets/photos.1.js": "script"],
            pictures: [picture])
    }

    private static func publishAgain(
        with publisher: inout Publisher, _ output: OutputFolder
    ) throws -> SitePublication {
        try publisher.publish(picture: "images/\(picture)", from: output.picture())
        for (path, text) in [("photo/new.html", "new"), ("photo/a.html", "a"), ("index.html", "index 2")] {
            try publisher.publish(SiteFile(path: path, bytes: Array(text.utf8)))
        }
        let publication = try SitePublication(&publisher)
        publisher.finishRemoval()
        return publication
    }

    private struct NoScan: Error, Equatable {}

    /// - Throws: `NoScan` if the scan is not used.
    private static func publisher(
        _ output: OutputFolder, _ files: ScannedFiles, _ permissions: SitePermissions? = nil
    ) throws -> Publisher {
        guard let publisher = try Publisher(output: output.path, scanned: files, permissions: permissions) else {
            throw NoScan()
        }
        return publisher
    }

    /// A scan that can be used for a long time.
    private static func scan(_ output: OutputFolder, _ owned: [String: OwnedFile]) throws -> SiteScan.Result {
        var scan = try SiteScan(output: output.path)
        for (path, file) in owned.sorted(by: { $0.key < $1.key }) { scan.add(path, file) }
        return scan.run(lifetime: .seconds(1000))
    }
}
