import Foundation
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("The records of a gallery that was moved") struct RelocationTests {
    private let folder = TemporaryFolder()
    private let files = FileManager.default
    private let published = ["index.html", "status.json", "page/2.html", "assets/style.css"]

    private func identity(_ home: String, output: String = "public") -> GalleryIdentity {
        GalleryIdentity(
            manifests: [.file("\(folder.path)/\(home)/photos.plist")], output: "\(folder.path)/\(home)/\(output)")
    }

    private func open(_ home: String, state: String? = nil) throws -> Ledger {
        try Ledger(path: "\(folder.path)/\(state ?? home)/state/ledger.sqlite", identity: identity(home))
    }

    private func write(_ text: String, to path: String, of home: String) throws {
        let file = URL(fileURLWithPath: "\(folder.path)/\(home)/public/\(path)")
        try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Records a published site of a gallery at "one".
    private func publish(state: String = "one") throws {
        try files.createDirectory(atPath: "\(folder.path)/\(state)/state", withIntermediateDirectories: true)
        let ledger = try open("one", state: state)
        var owned: [String: OwnedFile] = [:]
        for path in published {
            try write(path, to: path, of: "one")
            owned[path] = OwnedFile(digest: Digest(of: path), bytes: Int64(path.utf8.count))
        }
        let site = SiteRow(
            output: identity("one").output, content: Digest(of: ""), templates: Digest(of: ""), updated: 1, owned: owned
        )
        try ledger.record(publication: site, photos: [], replacing: [], removing: [], albums: [:])
        ledger.close()
    }

    private func move(_ old: String, _ new: String) throws {
        try files.moveItem(atPath: "\(folder.path)/\(old)", toPath: "\(folder.path)/\(new)")
    }

    private func ownedFiles(_ home: String, state: String? = nil) throws -> Set<String>? {
        let ledger = try open(home, state: state)
        defer { ledger.close() }
        return try ledger.site(output: identity(home).output).map { Set($0.owned.keys) }
    }

    /// Each entry maps a path to its content after the move, or to nil if the file was removed.
    private static let changes: [[String: String?]] = [
        [:], ["index.html": nil], ["index.html": "mine"], ["status.json": nil], ["status.json": "changed"],
        ["index.html": nil, "status.json": nil], ["index.html": "mine", "status.json": nil],
        ["index.html": "mine", "status.json": "changed"],
        ["index.html": nil, "status.json": nil, "page/2.html": nil, "assets/style.css": nil],
    ]

    @Test("The site's files are still known if a recorded page is unchanged, or none exists", arguments: changes)
    func damagedSite(changes: [String: String?]) throws {
        try publish()
        try move("one", "two")
        for (path, text) in changes {
            if let text {
                try write(text, to: path, of: "two")
            } else {
                try files.removeItem(atPath: identity("two").output + "/" + path)
            }
        }
        #expect(try ownedFiles("two") == Set(published))
    }

    @Test("No files are known if only the state folder was moved to another site, whatever files both have")
    func anotherSite() throws {
        try publish()
        for path in ["index.html", "page/2.html"] { try write("another", to: path, of: "two") }
        try write("assets/style.css", to: "assets/style.css", of: "two")
        try move("one/state", "two/state")
        #expect(try ownedFiles("two") == nil)
    }

    @Test("The files are known when the folder is reached by a symbolic link", arguments: ["one", "elsewhere"])
    func symbolicLink(state: String) throws {
        try publish(state: state)
        for path in ["index.html", "status.json", "page/2.html"] { try write("changed", to: path, of: "one") }
        try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "one")
        #expect(try ownedFiles("link", state: state == "one" ? "link" : state) == Set(published))
        #expect(try ownedFiles("one", state: state) == Set(published))
    }

    /// The key by which version 8 recorded a gallery.
    private func oldKey(_ home: String) -> String { Digest(of: "file \(folder.path)/\(home)/photos.plist").prefix(32) }

    /// Creates a ledger of version 8 with a gallery at `earlier` and one at "now", which share `common` photos.
    ///
    /// - Returns: the key of the gallery at `earlier` if the ledger still has it.
    private func galleries(earlier: String, photos: [Digest], sharing common: Int) throws -> Set<String> {
        try files.createDirectory(atPath: folder.path + "/now/state", withIntermediateDirectories: true)
        let path = folder.path + "/now/state/ledger.sqlite"
        for (key, output, count) in [(oldKey(earlier), earlier, photos.count), (oldKey("now"), "now", common)] {
            let ledger = try Ledger(path: path, gallery: key)
            for photo in photos.prefix(count) {
                let row = PhotoRow(key: photo, slug: "a", state: .filtered, since: 5, sha256: photo, checked: 5)
                try ledger.record(row, original: nil)
            }
            if output == earlier {
                let page = FileClaim(OwnedFile(digest: nil, bytes: 1))
                try ledger.record(claims: ["index.html": page], output: identity(output).output)
            }
            ledger.close()
        }
        let ledger = try open("now")
        defer { ledger.close() }
        return Set(try ledger.galleries().map(\.key)).intersection([oldKey(earlier)])
    }

    @Test(
        "The old record of a moved gallery is removed if its folder is gone and most photos are the same",
        arguments: 1...4)
    func earlierSelf(common: Int) throws {
        let found = try galleries(earlier: "gone", photos: ["a", "b", "c", "d"], sharing: common)
        #expect(found.isEmpty == (common > 2))
    }

    @Test("A second record is kept if the old folder can't be examined")
    func unreachable() throws {
        // A loop of symbolic links is an error like missing permission or a failing disk: it does not prove that the
        // folder is gone.
        try files.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: "loop")
        #expect(try !galleries(earlier: "loop", photos: ["a", "b"], sharing: 2).isEmpty)
    }
}
