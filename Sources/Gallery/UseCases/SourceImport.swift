internal import Downloads
internal import Foundation
package import Importing
internal import Manifest

/// Reads the source of a list: a folder of pictures, a file, standard input, or a document at a URL. Nothing is
/// written, except for the fetched document in a temporary folder.
package struct SourceImport {
    private let options: BuildOptions
    /// The absolute path of the folder that the list is in.
    private let folder: String

    package init(_ options: BuildOptions, listIn folder: String) {
        self.options = options
        self.folder = folder
    }

    /// - Throws: `GalleryError.source` if the source has no list, `.manifestUnreachable` if it can't be read or
    ///   fetched.
    package func list(of source: ManifestInput) throws(GalleryError) -> ImportedList {
        let importer = Importer(listIn: folder)
        switch source {
        case .file(let path, let shown):
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw .manifestUnreachable(shown: shown, detail: "no such file or folder")
            }
            guard !isFolder.boolValue else {
                return try naming(source) { () throws(ImportError) in try importer.list(ofFolder: path) }
            }
            return try list(of: ManifestBytes(origin: source.origin, bytes: source.localBytes() ?? []), source)
        case .standardInput(let bytes, _):
            return try list(of: ManifestBytes(origin: source.origin, bytes: bytes), source)
        case .remote(let url):
            let scratch = ScratchDownloads(options)
            defer { scratch.remove() }
            let found = try scratch.fetch(source, reportsContentType: true)
            return Self.listed(try list(of: found, source), of: url, foundAt: found.origin, options.allowsPrivate)
        }
    }

    private func list(of found: ManifestBytes, _ source: ManifestInput) throws(GalleryError) -> ImportedList {
        try naming(source) { () throws(ImportError) in
            try Importer(listIn: folder).list(
                of: found.bytes, from: found.origin, contentType: found.contentType)
        }
    }

    private func naming(
        _ source: ManifestInput, _ read: () throws(ImportError) -> ImportedList
    ) throws(GalleryError) -> ImportedList {
        do throws(ImportError) {
            return try read()
        } catch {
            throw .source(shown: source.shown, error)
        }
    }

    /// The list without the addresses that a document from the network must not add to a local list.
    private static func listed(
        _ list: ImportedList, of url: String, foundAt origin: ManifestOrigin, _ allowsPrivate: Bool
    ) -> ImportedList {
        guard case .remote(let location, _) = origin else { return list }
        let addresses = ListedAddresses(of: url, foundAt: location, allowsPrivate: allowsPrivate)
        var list = list
        let all = list.photos.count
        list.photos.removeAll { !addresses.mayBeListed($0.address) }
        let refused = all - list.photos.count
        if refused > 0 {
            list.warnings.append("\(refused) of its addresses are on private servers and are left out")
        }
        return list
    }
}
