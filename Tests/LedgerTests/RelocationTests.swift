import Foundation
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("What is remembered of a gallery that was moved") struct RelocationTests {
    private let folder = TemporaryFolder()
    private let files = FileManager.default
    private let published = ["index.html", "status.json", "page/2.html", "assets/style.css"]

    private func place(_ home: String, output: String = "public") -> GalleryPlace {
        GalleryPlace(
            manifests: [.file("\(folder.path)/\(home)/photos.plist")], output: "\(folder.path)/\(home)/\(output)")
    }

    private func open(_ home: String, state: String? = nil) throws -> Ledger {
        try Ledger(path: "\(folder.path)/\(state ?? home)/state/ledger.sqlite", place: place(home))
    }

    private func write(_ text: String, to path: String, of home: String) throws {
        let file = URL(fileURLWithPath: "\(folder.path)/\(home)/public/\(path)")
        try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// A gallery at "one" with a site that is recorded.
    private func publish(state: String = "one") throws {
        try files.createDirectory(atPath: "\(folder.path)/\(state)/state", withIntermediateDirectories: true)
        let ledger = try open("one", state: state)
        var owned: [String: OwnedRow] = [:]
        for path in published {
            try write(path, to: path, of: "one")
            owned[path] = OwnedRow(digest: Digest(of: path), bytes: Int64(path.utf8.count))
        }
        let site = SiteRow(
            output: place("one").output, content: Digest(of: ""), templates: Digest(of: ""), updated: 1, owned: owned)
        try ledger.record(publication: site, photos: [], replacing: [], removing: [], albums: [:])
        ledger.close()
    }

    private func move(_ old: String, _ new: String) throws {
        try files.moveItem(atPath: "\(folder.path)/\(old)", toPath: "\(folder.path)/\(new)")
    }

    private func ownedFiles(_ home: String, state: String? = nil) throws -> Set<String>? {
        let ledger = try open(home, state: state)
        defer { ledger.close() }
        return try ledger.site(output: place(home).output).map { Set($0.owned.keys) }
    }

    /// Path → what is in it after the move; nil where it was removed.
    private static let changes: [[String: String?]] = [
        [:], ["index.html": nil], ["index.html": "mine"], ["status.json": nil], ["status.json": "changed"],
        ["index.html": nil, "status.json": nil], ["index.html": "mine", "status.json": nil],
        ["index.html": "mine", "status.json": "changed"],
        ["index.html": nil, "status.json": nil, "page/2.html": nil, "assets/style.css": nil],
    ]

    @Test("are all its files, as long as a page is what it was, or none is there", arguments: changes)
    func damagedSite(changes: [String: String?]) throws {
        try publish()
        try move("one", "two")
        for (path, text) in changes {
            if let text {
                try write(text, to: path, of: "two")
            } else {
                try files.removeItem(atPath: place("two").output + "/" + path)
            }
        }
        #expect(try ownedFiles("two") == Set(published))
    }

    @Test("are no files where a state folder was moved alone to another site, whatever that has in common")
    func anotherSite() throws {
        try publish()
        for path in ["index.html", "page/2.html"] { try write("another", to: path, of: "two") }
        try write("assets/style.css", to: "assets/style.css", of: "two")
        try move("one/state", "two/state")
        #expect(try ownedFiles("two") == nil)
    }

    @Test("is the same where it is reached by a symbolic link", arguments: ["one", "elsewhere"])
    func symbolicLink(state: String) throws {
        try publish(state: state)
        for path in ["index.html", "status.json", "page/2.html"] { try write("changed", to: path, of: "one") }
        try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "one")
        #expect(try ownedFiles("link", state: state == "one" ? "link" : state) == Set(published))
        #expect(try ownedFiles("one", state: state) == Set(published))
    }

    /// How version 8 knew a gallery.
    private func oldKey(_ home: String) -> String { Digest(of: "file \(folder.path)/\(home)/photos.plist").prefix(32) }

    /// Of a ledger in which version 8 has a gallery at `earlier` and one at "now", each with some photos.
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
                let page = OwnedRow(digest: nil, bytes: 1)
                try ledger.record(claims: ["index.html": page], output: place(output).output)
            }
            ledger.close()
        }
        let ledger = try open("now")
        defer { ledger.close() }
        return Set(try ledger.galleries().map(\.key)).intersection([oldKey(earlier)])
    }

    @Test("twice is forgotten once it is gone, if most of its photos are the same", arguments: 1...4)
    func earlierSelf(common: Int) throws {
        let found = try galleries(earlier: "gone", photos: ["a", "b", "c", "d"], sharing: common)
        #expect(found.isEmpty == (common > 2))
    }

    @Test("twice is kept where nobody can tell whether it is gone")
    func unreachable() throws {
        // Too many symbolic links: as one may not be looked at, or an error of the disk, it says nothing of what is
        // there.
        try files.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: "loop")
        #expect(try !galleries(earlier: "loop", photos: ["a", "b"], sharing: 2).isEmpty)
    }
}
