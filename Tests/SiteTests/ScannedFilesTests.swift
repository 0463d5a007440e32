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

    private static let happenings = [
        Happening(testDescription: "nothing") { _ in },
        Happening(testDescription: "a page was removed") { output in
            try FileManager.default.removeItem(atPath: output.path + "/photo/a.html")
        },
        Happening(testDescription: "a page has another size") { try $0.write("longer", to: "photo/a.html") },
        Happening(testDescription: "a page has other bytes") { try $0.write("A", to: "photo/a.html") },
        Happening(testDescription: "a script has another size") { try $0.write("", to: "assets/photos.1.js") },
        Happening(testDescription: "the first page is another one") { try $0.write("other", to: "index.html") },
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
        var damaged: [String] = []
        var result: String
        var contents: [String: String]
        var owned: [String: OwnedFile] = [:]
        var claims: [String: FileClaim] = [:]
        var changed: Set<String> = []
    }

    @Test(
        "A publisher that begins with a scan does the same as one that inspects the files",
        arguments: happenings.indices, [false, true])
    func sameResult(number: Int, comparesAll: Bool) throws {
        let permissions = SitePermissions(octal: "640")
        let outcomes = try [true, false].map { usesScan in
            let output = OutputFolder()
            let first = try Self.publish(to: output)
            try Self.happenings[number].change(output)
            let scan = try Self.scan(output, first.owned)
            do {
                var publisher =
                    try usesScan
                    ? Self.publisher(output, scan.files, permissions, comparesAll: comparesAll)
                    : Publisher(
                        output: output.path, owned: first.owned, permissions: permissions, comparesAll: comparesAll)
                let publication = try Self.publishAgain(with: &publisher, output)
                let repair = publisher.repairPermissions()
                return Outcome(
                    damaged: scan.damaged, result: "\(publication.written) \(publication.removed) \(repair.count)",
                    contents: try output.contents(), owned: publication.owned, claims: publication.claims,
                    changed: publication.changed)
            } catch SiteError.foreign(let path) {
                return Outcome(
                    damaged: scan.damaged, result: "foreign \(path.dropFirst(output.path.count))",
                    contents: try output.contents())
            }
        }
        #expect(outcomes[0] == outcomes[1])
    }

    @Test(
        "Foreign files that appear after the scan are kept, and the next publication completes what this one could not",
        arguments: happenings.indices, [false, true])
    func changedAfterScan(number: Int, comparesAll: Bool) throws {
        let output = OutputFolder()
        let first = try Self.publish(to: output)
        let scan = try Self.scan(output, first.owned)
        try Self.happenings[number].change(output)
        let before = try output.contents()
        var owned = first.owned
        do {
            var publisher = try Self.publisher(output, scan.files, comparesAll: comparesAll)
            owned = try Self.publishAgain(with: &publisher, output).owned
        } catch SiteError.foreign {
            #expect(try output.contents() == before)
        } catch is NoScan {
            #expect(Self.happenings[number].testDescription == "the whole site was removed")
        }
        if before["photo/new.html"] == "theirs" { #expect(try output.text("photo/new.html") == "theirs") }
        // The folder and the files that somebody else has put there are moved away, as the message says.
        for path in ["/photo/new.html", "/photo/a.html"] where before[String(path.dropFirst())] != nil {
            try FileManager.default.removeItem(atPath: output.path + path)
        }
        if before["photo"] != "/" { try? FileManager.default.removeItem(atPath: output.path + "/photo") }
        var publisher = try Publisher(output: output.path, owned: owned)
        _ = try Self.publishAgain(with: &publisher, output)
        #expect(
            try output.contents().filter { !$0.key.hasPrefix("assets") && $0.key != "photo/b.html" } == [
                "images": "/", "images/\(Self.picture)": "picture", "photo": "/", "photo/a.html": "a",
                "photo/new.html": "new", "index.html": "index 2",
            ])
    }

    @Test("A scan of another folder is not used")
    func otherFolder() throws {
        let (output, other) = (OutputFolder(), OutputFolder())
        let first = try Self.publish(to: output)
        try Self.publish(to: other)
        let scan = try Self.scan(output, first.owned)
        #expect(throws: NoScan()) { _ = try Self.publisher(other, scan.files) }
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
        let file = ScannedFiles.File(path: "index.html", entry: SiteEntry(file: OwnedFile(digest: nil, bytes: 1)))
        let end = ContinuousClock.now
        func files() -> ScannedFiles { ScannedFiles([file], in: nil, end: end, lifetime: .seconds(3)) }
        let used = files()
        #expect(used.take(for: nil, now: end + .seconds(3))?.keys.sorted() == ["index.html"])
        #expect(used.take(for: nil, now: end + .seconds(3)) == nil)
        #expect(files().take(for: nil, now: end + .milliseconds(3001)) == nil)
        #expect(files().take(for: Folder.Identity(device: 1, inode: 2), now: end) == nil)
        let discarded = files()
        discarded.discard()
        #expect(discarded.take(for: nil, now: end) == nil)
        #expect(
            ScannedFiles([file, file], in: nil, end: end, lifetime: .seconds(3)).take(for: nil, now: end) == nil,
            "a path that is recorded twice is reported by those who read the record again")
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
        _ output: OutputFolder, _ files: ScannedFiles, _ permissions: SitePermissions? = nil, comparesAll: Bool = false
    ) throws -> Publisher {
        let publisher = try Publisher(
            output: output.path, scanned: files, permissions: permissions, comparesAll: comparesAll)
        guard let publisher else { throw NoScan() }
        return publisher
    }

    /// A scan that can be used for a long time.
    private static func scan(_ output: OutputFolder, _ owned: [String: OwnedFile]) throws -> SiteScan.Result {
        var scan = try SiteScan(output: output.path)
        for (path, file) in owned.sorted(by: { $0.key < $1.key }) { scan.add(path, file) }
        return try scan.run(lifetime: .seconds(1000))
    }
}
