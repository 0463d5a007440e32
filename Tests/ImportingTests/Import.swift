import Importing
import Manifest
import PhotoModel

/// Imports texts in tests as if they came from a file, standard input or the network.
enum Import {
    static let page = "https://example.org/shows/list"

    static func file(_ text: String, name: String = "list", in folder: String = "/photos") throws -> ImportedList {
        try file(Array(text.utf8), name: name, in: folder)
    }

    static func file(_ bytes: [UInt8], name: String = "list", in folder: String = "/photos") throws -> ImportedList {
        let path = folder + "/" + name
        return try Importer(listIn: "/photos").list(of: bytes, from: .file(path: path, shown: name))
    }

    static func remote(_ text: String, at url: String = page) throws -> ImportedList {
        try Importer(listIn: "/photos").list(of: Array(text.utf8), from: .remote(url: url, shown: url))
    }

    static func remote(_ bytes: [UInt8], contentType: String?) throws -> ImportedList {
        try Importer(listIn: "/photos").list(of: bytes, from: .remote(url: page, shown: page), contentType: contentType)
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
