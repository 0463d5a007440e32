import Foundation
import Importing
import Manifest
import Testing

/// Merging a source that has one address in several albums, or with several names.
extension ListMergeTests {
    /// Photos by their albums and names. All but those named B have the same address.
    private static func photos(_ paths: [String], isComplete: Bool = true) -> ImportedList {
        let photos = paths.map { path in
            let names = path.split(separator: "/").map(String.init)
            let file = names[1] == "B" ? "b" : "a"
            return ImportedPhoto(album: [names[0]], name: names[1], address: "https://example.org/\(file).jpg")
        }
        var list = ImportedList(photos: photos)
        list.isComplete = isComplete
        return list
    }

    private static func record(_ text: String) throws -> Range<String.Index> {
        let start = try #require(text.firstRange(of: "<!-- gallerygen: imported")).lowerBound
        return try start..<#require(text.firstRange(of: "</plist>")).lowerBound
    }

    /// The list that the user has made of an imported one.
    private static func edited(_ list: [String], imported: [String]) throws -> String {
        let (text, original) = (try new(photos(list)), try new(photos(imported)))
        return try text.replacingCharacters(in: record(text), with: String(original[record(original)]))
    }

    /// The albums and names of a list's photos. The names of those with a mark have a star.
    private static func paths(_ text: String) throws -> [String] {
        let mark = #/<!-- gallerygen: no longer[^>]*>\s*<dict>\s*<key>name</key>\s*<string>(\w+)/#
        let text = text.replacing(mark) { "<dict><key>name</key><string>\($0.output.1)*" }
        return try Import.read(Array(text.utf8)).photos.map { ($0.album + [$0.name]).joined(separator: "/") }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let imported: [String]
        /// The list after edits of the user.
        let list: [String]
        /// The source after its change.
        let source: [String]
        let result: [String]

        init(_ name: String, _ imported: [String], list: [String]? = nil, _ source: [String], result: [String]) {
            testDescription = name
            self.imported = imported
            self.list = list ?? imported
            self.source = source
            self.result = result
        }
    }

    @Test(
        "An entry with the address of another is new, removed or gone by itself",
        arguments: [
            Change(
                "another album", ["Summer/A", "Summer/B"], ["Summer/A", "Summer/B", "Best/A", "Best/B"],
                result: ["Summer/A", "Summer/B", "Best/A", "Best/B"]),
            Change(
                "another name", ["Summer/A", "Summer/B"], ["Summer/A", "Summer/A2", "Summer/B"],
                result: ["Summer/A", "Summer/A2", "Summer/B"]),
            Change(
                "renamed by the user", ["Summer/A", "Summer/B"], list: ["Summer/Mine", "Summer/B"],
                ["Summer/A", "Summer/B", "Best/A"], result: ["Summer/Mine", "Summer/B", "Best/A"]),
            Change(
                "moved by the user", ["Summer/A"], list: ["Mine/A"], ["Best/A", "Summer/A"],
                result: ["Mine/A", "Best/A"]),
            Change(
                "moved by the user to where the source has it now", ["Summer/A"], list: ["Best/A"],
                ["Summer/A", "Best/A"], result: ["Best/A"]),
            Change(
                "copied by the user", ["Summer/A"], list: ["Summer/A", "Mine/A"], ["Summer/A", "Best/A"],
                result: ["Summer/A", "Best/A", "Mine/A"]),
            Change(
                "copied by the user, and another gone", ["Summer/A", "Best/A"], list: ["Summer/A", "Best/A", "Mine/A"],
                ["Summer/A"], result: ["Summer/A", "Best/A*", "Mine/A"]),
            Change(
                "added by the user before", ["Summer/B"], list: ["Summer/B", "Mine/A"], ["Summer/B", "Best/A"],
                result: ["Summer/B", "Mine/A"]),
            Change("moved in the source", ["Summer/A"], ["Best/A"], result: ["Summer/A"]),
            Change(
                "one removed by the user", ["Summer/A", "Best/A"], list: ["Best/A"],
                ["Winter/A", "Summer/A", "Best/A"], result: ["Best/A", "Winter/A"]),
            Change(
                "removed by the user", ["Summer/A", "Summer/B"], list: ["Summer/B"], ["Summer/A", "Summer/B"],
                result: ["Summer/B"]),
            Change("one gone", ["Summer/A", "Best/A"], ["Best/A"], result: ["Summer/A*", "Best/A"]),
            Change(
                "one moved by the user, the other gone", ["Summer/A", "Best/A"], list: ["Summer/A", "Mine/A"],
                ["Best/A"], result: ["Summer/A*", "Mine/A"]),
            Change(
                "one moved by the user and gone", ["Summer/A", "Best/A"], list: ["Mine/A", "Summer/A"], ["Summer/A"],
                result: ["Mine/A*", "Summer/A"]),
            Change(
                "both renamed by the user, one gone", ["Summer/A", "Best/A"], list: ["Best/X", "Summer/Y"], ["Best/A"],
                result: ["Best/X", "Summer/Y*"]),
        ])
    func repeatedAddresses(_ change: Change) throws {
        let source = Self.photos(change.source)
        let text = try Self.edited(change.list, imported: change.imported)
        let merged = try Self.merge(source, into: text)
        #expect(try Self.paths(merged.text) == change.result)
        #expect(merged.document.added == change.result.count - change.list.count)
        #expect(merged.document.missing == change.result.count { $0.hasSuffix("*") })
        #expect(try Self.merge(source, into: merged.text).text == merged.text)
    }

    @Test("The mark of one of several entries with an address is removed when that one returns")
    func oneReturns() throws {
        let both = Self.photos(["Summer/A", "Best/A"])
        let text = try Self.new(both)
        let left = try Self.merge(Self.photos(["Best/A"]), into: text)
        #expect(left.document.missing == 1)
        let back = try Self.merge(both, into: left.text)
        #expect(back.document.returned == 1)
        #expect(back.text == text)
    }

    @Test("An entry that moves back in the source, or is there again, is not mistaken for the one elsewhere")
    func movedBack() throws {
        let text = try Self.new(Self.photos(["Summer/A"]))
        for isComplete in [true, false] {
            let moved = try Self.merge(Self.photos(["Best/A"], isComplete: isComplete), into: text)
            #expect(moved.text == text)
            let both = try Self.merge(Self.photos(["Summer/A", "Best/A"]), into: moved.text)
            #expect(both.document.added == 1)
            #expect(try Self.paths(both.text) == ["Summer/A", "Best/A"])
        }
    }

    @Test("A record without places, as earlier versions wrote it, is read, and theirs is in the new one")
    func recordWithoutPlaces() throws {
        func old(_ list: [String], imported: [String]) throws -> String {
            try Self.edited(list, imported: imported).replacing(#/ [0-9a-f]{8}(?=\s)/#, with: "")
        }
        let imported = ["Summer/A", "Summer/B", "Best/A"]
        let record = try Self.new(Self.photos(imported))
        #expect(record.matches(of: #/\s[0-9a-f]{12}(?=\s)/#).count == 2)
        #expect(record.matches(of: #/\s[0-9a-f]{8}(?=\s)/#).count == 3)

        let more = try Self.merge(Self.photos(imported), into: old(["Summer/A", "Summer/B"], imported: imported))
        #expect(try Self.paths(more.text) == imported)
        let removed = try Self.merge(Self.photos(imported), into: old(["Summer/B"], imported: imported))
        #expect(try Self.paths(removed.text) == ["Summer/B"])
        let copied = ["Summer/A", "Summer/B", "Best/A", "Mine/A"]
        let copy = try Self.merge(Self.photos(imported), into: old(copied, imported: imported))
        #expect(try Self.paths(copy.text) == copied)
        let left = try Self.merge(Self.photos(["Summer/B"]), into: old(copied, imported: imported))
        #expect(try Self.paths(left.text) == ["Summer/A*", "Summer/B", "Best/A*", "Mine/A*"])
        let back = try Self.merge(Self.photos(imported), into: left.text)
        #expect(back.document.returned == 3)
        #expect(back.document.added == 0)
    }
}
