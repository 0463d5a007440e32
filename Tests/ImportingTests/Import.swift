import Importing
import Manifest
import PhotoModel
import Testing

/// Imports texts in tests as if they came from a file, standard input or the network.
enum Import {
    static let page = "https://example.org/shows/list"

    static func file(_ text: String, name: String = "list", in folder: String = "/photos") throws -> ImportedList {
        try file(Array(text.utf8), name: name, in: folder)
    }

    static func file(_ bytes: [UInt8], name: String = "list", in folder: String = "/photos") throws -> ImportedList {
        let path = folder + "/" + name
        return try list(Importer(listIn: "/photos").content(of: bytes, from: .file(path: path, shown: name)))
    }

    static func remote(_ text: String, at url: String = page) throws -> ImportedList {
        try list(content(text, at: url))
    }

    static func content(_ text: String, at url: String = page) throws -> SourceContent {
        try Importer(listIn: "/photos").content(of: Array(text.utf8), from: .remote(url: url, shown: url))
    }

    private static func list(_ content: SourceContent) throws -> ImportedList {
        try #require({ if case .list(let list) = content { list } else { nil } }())
    }

    static func remote(_ bytes: [UInt8], contentType: String?) throws -> ImportedList {
        try list(
            Importer(listIn: "/photos").content(
                of: bytes, from: .remote(url: page, shown: page), contentType: contentType))
    }

    /// The manifest of the written list, which the reader must accept without a warning.
    static func written(_ list: ImportedList) throws -> Manifest {
        let document = try ImportedDocument(list, of: (shown: "a test", identity: "test"), list: "/photos/photos.plist")
        return try read(document.bytes)
    }

    static func read(_ bytes: [UInt8]) throws -> Manifest {
        try ManifestReader(origin: .file(path: "/photos/photos.plist", shown: "photos.plist")).read(bytes)
    }
}

extension ImportedList {
    var addresses: [String] { photos.map(\.address) }
    var names: [String?] { photos.map(\.name) }
}
