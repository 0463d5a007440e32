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
    private let interruption: ScratchInterruption

    package init(_ options: BuildOptions, listIn folder: String, interruption: ScratchInterruption) {
        self.options = options
        self.folder = folder
        self.interruption = interruption
    }

    /// - Throws: `GalleryError.source` if the source has no list, `.manifestUnreachable` if it can't be read or
    ///   fetched, `.interrupted` after an interruption.
    package func list(of source: ManifestInput) throws(GalleryError) -> ImportedList {
        let importer = Importer(listIn: folder)
        let scratch = ScratchDownloads(options, interruption: interruption)
        defer { scratch.remove() }
        let document: ManifestBytes
        switch source {
        case .file(let path, let shown):
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw .manifestUnreachable(shown: shown, detail: "no such file or folder")
            }
            guard !isFolder.boolValue else {
                return try naming(source) { () throws(ImportError) in try importer.list(ofFolder: path) }
            }
            document = ManifestBytes(origin: source.origin, bytes: try source.localBytes() ?? [])
        case .standardInput(let bytes, _): document = ManifestBytes(origin: source.origin, bytes: bytes)
        case .remote: document = try scratch.fetch(source, reportsContentType: true)
        }
        try scratch.checkInterruption()
        let content = try naming(source) { () throws(ImportError) in
            try importer.content(of: document.bytes, from: document.origin, contentType: document.contentType)
        }
        switch content {
        case .list(let list):
            let listable = list.listable(from: document, allowsPrivate: options.allowsPrivate)
            guard !listable.photos.isEmpty else { throw .source(shown: source.shown, .onlyPrivateAddresses) }
            return listable
        case .collection(let collection):
            var reading = CollectionImport(importer, listIn: folder, scratch, allowsPrivate: options.allowsPrivate)
            try reading.read(collection, in: document)
            return try naming(source) { () throws(ImportError) in try reading.finish() }
        }
    }

    private func naming<Value>(
        _ source: ManifestInput, _ read: () throws(ImportError) -> Value
    ) throws(GalleryError) -> Value {
        do throws(ImportError) {
            return try read()
        } catch {
            throw .source(shown: source.shown, error)
        }
    }
}

extension ImportedList {
    /// The list without the addresses that a document from the network must not add to a local list.
    func listable(from document: ManifestBytes, allowsPrivate: Bool) -> ImportedList {
        guard case .remote(let location, _) = document.origin, let requested = document.requestedURL else {
            return self
        }
        let addresses = ListedAddresses(of: requested, foundAt: location, allowsPrivate: allowsPrivate)
        var list = self
        list.photos.removeAll { !addresses.mayBeListed($0.address) }
        let refused = photos.count - list.photos.count
        if refused > 0 {
            list.warnings.append("\(refused) of its addresses are on private servers and are left out")
        }
        return list
    }
}
