internal import Addresses
internal import Downloads
internal import Foundation
internal import Importing
internal import Manifest
internal import PhotoModel

/// Reads the manifests and the nested collections of a IIIF collection. Each becomes an album. A manifest that can't be
/// read is left out with a warning, and the import continues.
struct CollectionImport {
    /// A document to be read.
    private struct Document {
        let input: ManifestInput
        /// The policy of the fetch; nil for a file.
        let policy: AddressPolicy?
        let label: String?
        /// Whether the document is a page of a collection. Its members then belong to the album of the collection.
        let isPage: Bool

        var key: String { input.key }
        var isLocallyListed: Bool { policy?.isLocallyListed ?? true }
    }

    /// The collection that a member belongs to.
    private struct Parent {
        /// The path of the collection's album.
        let album: [String]
        /// The level of the collection, counted from 1. A page has the level of its collection.
        let depth: Int
        /// Whether the collection's document is a file on this machine, or standard input.
        let isLocal: Bool
        /// The server that the user named, if the collection's document came from it. Only then is the document allowed
        /// to refer to that server.
        let server: NamedServer?
    }

    /// The maximum number of prefetched documents, for all levels together.
    private static let maximumPrefetches = 6
    /// The maximum number of warnings that are shown. More warnings than this would not be read.
    private static let maximumWarnings = 20

    private let importer: Importer
    /// The absolute path of the list's folder.
    private let folder: String
    private let scratch: ScratchDownloads
    private let allowsPrivate: Bool

    /// The members that have not been read yet. The last one is read next.
    private var remaining: [(member: IIIFCollection.Member, parent: Parent)] = []
    private var collected = CollectedPhotos()
    private var albums = AlbumNames()
    /// The documents that have been read. A collection can refer to itself.
    private var visited: Set<String> = []
    /// The messages about documents that could not be fetched on the terms for addresses from the network. Such a
    /// document is fetched again if the user names it as well.
    private var unreachable: [String: String] = [:]
    /// The policies of the prefetched documents, by document.
    private var prefetched: [String: AddressPolicy] = [:]
    /// The size in bytes of all documents that were not prefetched.
    private var size = 0
    private var failures: [String] = []
    private var documentWarnings: [String] = []
    /// The messages about limits that were reached.
    private var limitWarnings: Set<String> = []

    /// - Parameter folder: the absolute path of the list's folder.
    init(_ importer: Importer, listIn folder: String, _ scratch: ScratchDownloads, allowsPrivate: Bool) {
        self.importer = importer
        self.folder = folder
        self.scratch = scratch
        self.allowsPrivate = allowsPrivate
    }

    /// - Throws: an error that ends the whole import, such as a full disk. A member that can't be read does not end it.
    mutating func read(_ collection: IIIFCollection, in document: ManifestBytes) throws(GalleryError) {
        if let requested = document.requestedURL {
            visited.insert(ManifestInput.remote(url: requested).key)
        } else if case .file(let path, _) = document.origin {
            visited.insert(FilePath.normalized(path, in: folder))
        }
        let isLocal = !document.origin.isRemote
        push(collection.members, Parent(album: [], depth: 1, isLocal: isLocal, server: Self.server(of: document)))
        while let (member, parent) = remaining.popLast() {
            try scratch.checkInterruption()
            if case .nested(let nested) = member {
                let album = album(nested.label ?? "Collection", in: parent)
                push(
                    nested.members,
                    Parent(album: album, depth: parent.depth, isLocal: parent.isLocal, server: parent.server))
                continue
            }
            guard let document = self.document(member, parent), isWithinDepth(parent) else { continue }
            guard isWithinLimits() else { return }
            if case .reference(_, _, isCollection: false) = member { try prefetch() }
            try read(document, parent)
        }
    }

    /// - Throws: `ImportError` if there is no photo.
    consuming func finish() throws(ImportError) -> ImportedList {
        guard !collected.photos.isEmpty || failures.isEmpty else { throw .noManifest(failures) }
        var list = ImportedList(photos: collected.photos)
        list.isComplete = failures.isEmpty && limitWarnings.isEmpty
        var warnings = failures.map { "left out: \($0)" } + documentWarnings
        if warnings.count > Self.maximumWarnings {
            let more = warnings.count - Self.maximumWarnings
            warnings = warnings.prefix(Self.maximumWarnings) + [counted(more, "more warning")]
        }
        list.warnings = warnings + limitWarnings.sorted()
        return try importer.finish(list, of: .collection)
    }

    private mutating func push(_ members: [IIIFCollection.Member], _ parent: Parent) {
        remaining += members.reversed().map { ($0, parent) }
    }

    private mutating func isWithinDepth(_ parent: Parent) -> Bool {
        guard parent.depth > ImportLimits.collectionDepth else { return true }
        limitWarnings.insert("only \(ImportLimits.collectionDepth) levels of nested collections are read")
        return false
    }

    private mutating func isWithinLimits() -> Bool {
        if visited.count >= ImportLimits.collectionDocuments {
            limitWarnings.insert(
                "only its first \(ImportLimits.collectionDocuments) manifests and collections are read")
        } else if size + scratch.prefetchedBytes >= ImportLimits.collectionSize {
            limitWarnings.insert("only its first \(ImportLimits.collectionSize / 1_000_000) MB are read")
        } else {
            return collected.photos.count <= ImportLimits.photos
        }
        return false
    }

    /// Starts to fetch the next manifests. The members of a nested collection come before the members after it, so
    /// nothing behind a collection or a page is prefetched.
    private mutating func prefetch() throws(GalleryError) {
        for (member, parent) in remaining.suffix(Self.maximumPrefetches).reversed() {
            guard prefetched.count < Self.maximumPrefetches, parent.depth <= ImportLimits.collectionDepth,
                case .reference(_, _, isCollection: false) = member
            else { return }
            guard let next = document(member, parent), let policy = next.policy, !visited.contains(next.key),
                prefetched[next.key] == nil
            else { continue }
            prefetched[next.key] = policy
            try scratch.begin(next.input, policy: policy)
        }
    }

    private mutating func read(_ next: Document, _ parent: Parent) throws(GalleryError) {
        // The document is being fetched for a later member, to which the user refers. A collection from the network
        // does not get its result.
        if let begun = prefetched[next.key], begun.isLocallyListed, !next.isLocallyListed { return }
        if !visited.insert(next.key).inserted {
            guard next.isLocallyListed, let message = unreachable.removeValue(forKey: next.key) else { return }
            failures.removeAll { $0 == message }
            scratch.discardOutcomes()
        }
        let document: ManifestBytes
        let content: SourceContent
        do throws(GalleryError) {
            let wasPrefetched = prefetched.removeValue(forKey: next.key) != nil
            document = try bytes(of: next)
            if !wasPrefetched { size += document.bytes.count }
            do throws(ImportError) {
                content = try importer.member(of: document.bytes, from: document.origin)
            } catch {
                throw .source(shown: next.input.shown, error)
            }
        } catch {
            switch error {
            case .source(_, .noPhotos): documentWarnings.append(error.message)
            case .source, .manifestUnreachable:
                failures.append(error.message)
                if case .manifestUnreachable = error, !next.isLocallyListed { unreachable[next.key] = error.message }
            default: throw error
            }
            return
        }
        switch content {
        case .list(let photos):
            try add(photos.listable(from: document, allowsPrivate: allowsPrivate), of: next, parent)
        case .collection(let collection):
            let album = next.isPage ? parent.album : album(next.label ?? collection.label ?? "Collection", in: parent)
            push(
                collection.members,
                Parent(
                    album: album, depth: next.isPage ? parent.depth : parent.depth + 1,
                    isLocal: !document.origin.isRemote, server: server(for: document, parent)))
        }
    }

    private mutating func add(_ photos: ImportedList, of document: Document, _ parent: Parent) throws(GalleryError) {
        documentWarnings += photos.warnings.map { "\(document.input.shown): \($0)" }
        guard !photos.photos.isEmpty else { return }
        let album = album(document.label ?? photos.title ?? "Manifest", in: parent)
        do throws(ImportError) {
            try collected.add(photos.photos, in: album)
        } catch {
            throw .source(shown: document.input.shown, error)
        }
    }

    /// The path of a new album in the album of a collection. Albums can have equal labels.
    private mutating func album(_ label: String, in parent: Parent) -> [String] {
        parent.album + [albums.name(label, in: parent.album)]
    }

    // MARK: Documents

    private func bytes(of document: Document) throws(GalleryError) -> ManifestBytes {
        if let policy = document.policy { return try scratch.fetch(document.input, policy: policy) }
        if case .file(let path, let shown) = document.input {
            var status = stat()
            guard stat(path, &status) == 0 else {
                throw .manifestUnreachable(shown: shown, detail: "it can't be read: \(systemMessage(errno))")
            }
            // Reading a pipe would wait until another program writes to it.
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw .manifestUnreachable(shown: shown, detail: "it is not a regular file")
            }
        }
        return ManifestBytes(origin: document.input.origin, bytes: try document.input.localBytes() ?? [])
    }

    /// The document of a member; nil for a collection that is in the same document, and for an address that the
    /// collection must not refer to.
    private func document(_ member: IIIFCollection.Member, _ parent: Parent) -> Document? {
        switch member {
        case .nested: nil
        case .reference(let address, let label, _): document(address, label, isPage: false, parent)
        case .page(let address): document(address, nil, isPage: true, parent)
        }
    }

    private func document(_ address: String, _ label: String?, isPage: Bool, _ parent: Parent) -> Document? {
        switch URLScheme.of(address) {
        case "http", "https":
            let policy = policy(of: address, parent)
            return Document(input: .remote(url: address), policy: policy, label: label, isPage: isPage)
        case "file":
            guard parent.isLocal, let url = URL(string: address), ["", "localhost"].contains(url.host ?? "") else {
                return nil
            }
            return file(url.path, shown: address, label, isPage: isPage)
        case nil:
            return parent.isLocal ? file(address, shown: address, label, isPage: isPage) : nil
        default: return nil
        }
    }

    private func file(_ path: String, shown: String, _ label: String?, isPage: Bool) -> Document {
        let path = FilePath.normalized(path, in: folder)
        return Document(input: .file(path: path, shown: shown), policy: nil, label: label, isPage: isPage)
    }

    /// The policy for an address in a collection. An address in a local document was written on this machine. An
    /// address in any other document comes from the network, and only the server that the user named is allowed.
    private func policy(of address: String, _ parent: Parent) -> AddressPolicy {
        if parent.isLocal { return AddressPolicy(isLocallyListed: true, allowsPrivate: allowsPrivate) }
        guard let server = parent.server, server.isTarget(of: address) else {
            return AddressPolicy(isLocallyListed: false, allowsPrivate: allowsPrivate)
        }
        return AddressPolicy(isLocallyListed: true, ports: server.ports, allowsPrivate: allowsPrivate)
    }

    /// The server that the members of a document are allowed to be on: the server that the user named, if the document
    /// came from it. A document of another server does not inherit the permission.
    private func server(for document: ManifestBytes, _ parent: Parent) -> NamedServer? {
        if parent.isLocal { return Self.server(of: document) }
        guard case .remote(let location, _) = document.origin, let server = parent.server, server.isTarget(of: location)
        else { return nil }
        return server
    }

    /// The server of a document that the user named; nil if redirects led to another server.
    private static func server(of document: ManifestBytes) -> NamedServer? {
        guard case .remote(let location, _) = document.origin, let requested = document.requestedURL,
            let server = NamedServer(requested, leadingTo: location), server.isTarget(of: location)
        else { return nil }
        return server
    }
}

extension ManifestInput {
    /// Identifies a document.
    fileprivate var key: String {
        switch self {
        case .file(let path, _): path
        case .standardInput: "-"
        case .remote(let url): RequestKey(url).text
        }
    }
}
