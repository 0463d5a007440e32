import Foundation
import Manifest
import TestSupport
import Testing

/// Files that are no XML property lists, and the commands that convert some of them.
@Suite struct ForeignFormatTests {
    static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    @Test(
        "Another form of property list is refused with both commands that convert it",
        arguments: ["binary.plist", "openstep.plist"])
    func commands(_ name: String) throws {
        let error = try #require(throws: ManifestError.self) { try Fixtures.read(name) }
        #expect(error.description.contains("\n  plutil -convert xml1 \(name)\n"))
        #expect(error.description.contains("\n  python3 -c '"))
    }

    @Test(
        "The Python command converts the list, in a shell, even if the file name is unusual",
        .enabled(if: hasPython, "python3 is not in /usr/bin"),
        arguments: ["binary.plist", "openstep.plist"], ["photos.plist", "-my 'best' $HOME photos.plist"])
    func conversion(_ name: String, fileName: String) throws {
        let folder = TemporaryFolder()
        let file = try folder.write(Fixtures.bytes(name), to: fileName)
        let reader = ManifestReader(origin: .file(path: file, shown: fileName))
        let error = try #require(throws: ManifestError.self) { try reader.read(Fixtures.bytes(name)) }
        try run(command(in: error), in: folder)

        let photos = try reader.read(Array(folder.bytes(of: fileName))).photos
        #expect(photos.map(\.name).contains("Lake"))
        #expect(photos.allSatisfy { $0.failureCode == nil })
    }

    @Test(
        "For standard input the command is a filter", .enabled(if: hasPython, "python3 is not in /usr/bin"),
        arguments: ["binary.plist", "openstep.plist"])
    func filter(_ name: String) throws {
        let folder = TemporaryFolder()
        try folder.write(Fixtures.bytes(name), to: "in")
        let reader = ManifestReader(origin: .standardInput(directory: "/"))
        let error = try #require(throws: ManifestError.self) { try reader.read(Fixtures.bytes(name)) }
        #expect(error.description.contains("\n  plutil -convert xml1 -o - -\n"))
        try run(command(in: error) + " <in >out", in: folder)
        #expect(try reader.read(Array(folder.bytes(of: "out"))).photos.map(\.name).contains("Lake"))
    }

    @Test(
        "OpenStep and JSON are told apart, with byte order marks, comments and spaces",
        arguments: [
            ("[1]", "JSON"), ("{}", "JSON"), (#"{"a=b": "c"}"#, "JSON"), (#"{"a\"=": "c"}"#, "JSON"),
            ("\u{FEFF} { \"a\" : 1 }", "JSON"), ("{ a = b; }", "OpenStep"), ("( a, b )", "OpenStep"),
            ("/* x */ { \"a:b\" = c; }", "OpenStep"), ("\"Lake\" = \"a.jpg\";", "OpenStep"),
        ])
    func text(_ text: String, name: String) throws {
        let error = try #require(throws: ManifestError.self) {
            try ManifestReader(origin: Reading.local).read(Array(text.utf8))
        }
        #expect(error.description.contains("\(name)"))
        #expect(error.description.contains(name == "JSON" ? "gallerygen init --from" : "Convert it with"))
    }

    @Test(
        "A source that can be imported is refused with the command that imports it",
        arguments: [
            ("[1]", "notes.json", "gallerygen init --from notes.json"),
            ("name,file\na,b.jpg", "my notes.csv", "gallerygen init --from 'my notes.csv'"),
            ("\"name\";\"file\"\n", "-a.csv", "gallerygen init --from ./-a.csv"),
            (
                "https://example.org/a.jpg\n", "photos.plist",
                "mv photos.plist photos.txt && gallerygen init --from photos.txt"
            ),
            ("<rss/>", "in/feed.xml", "gallerygen init --from in/feed.xml"),
            ("<!doctype html><p>A<br>", "a.html", "gallerygen init --from a.html"),
            ("GIF89a", "in/a.gif", "gallerygen init --from in"), ("GIF89a", "a.gif", "gallerygen init --from ."),
            ("GIF89a", "/a.gif", "gallerygen init --from /"),
        ])
    func imports(_ text: String, _ name: String, _ command: String) throws {
        let error = try #require(throws: ManifestError.self) {
            try ManifestReader(origin: .file(path: "/x/" + name, shown: name)).read(Array(text.utf8))
        }
        #expect(error.description.hasSuffix("\n  " + command))
    }

    @Test("The command is also given for standard input and addresses, unless a part of the address is a secret")
    func importsElsewhere() throws {
        func command(_ origin: ManifestOrigin) throws -> Substring? {
            let error = try #require(throws: ManifestError.self) {
                try ManifestReader(origin: origin).read(Array("a.jpg".utf8))
            }
            return error.description.split(separator: "\n").last
        }
        let url = "https://example.org/list"
        #expect(try command(.standardInput(directory: "/")) == "  gallerygen init --from -")
        #expect(try command(.remote(url: url, shown: url)) == "  gallerygen init --from https://example.org/list")
        #expect(try command(.remote(url: url + "?key=1", shown: url)) == "  gallerygen init --from ADDRESS")
    }

    @Test(
        "The reason for another file names its format",
        arguments: [
            ("<!doctype HTML><html><p>Not found<br></html>", "a web page"), ("<html><br></html>", "a web page"),
            ("<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'/>", "a news feed"),
            ("<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG drawing"), ("<x/>", "XML with the root element 'x'"),
            ("%PDF-1.7", "a PDF document"), ("GIF89a", "a GIF picture"), ("hello", "text, not a property list"),
            ("<dict/>", #"<plist version="1.0">"#),
        ])
    func others(_ text: String, name: String) throws {
        let error = try #require(throws: ManifestError.self) {
            try ManifestReader(origin: Reading.local).read(Array(text.utf8))
        }
        #expect(error.description.contains(name))
    }

    private func command(in error: ManifestError) throws -> String {
        try #require(error.description.split(separator: "\n").first { $0.hasPrefix("  python3") }).dropFirst(2)
            .description
    }

    private func run(_ command: String, in folder: TemporaryFolder) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", command]
        shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0, "\(command)")
    }
}
