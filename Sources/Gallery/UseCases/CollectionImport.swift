internal import Downloads
internal import Importing
internal import Manifest
internal import PhotoModel

/// Reads the manifests that a IIIF collection names, and the collections in it: each becomes an album. A manifest that
/// can't be read is left out with a warning and does not end the import.
struct CollectionImport {
    /// A document to be read: where it is, on what terms, and the name of its album.
    private struct Member {
        let input: ManifestInput
        /// nil for a file.
        let policy: AddressPolicy?
        let label: String?
        /// Whether its members belong to the album of the collection that names it.
        let isPage: Bool

        var key: String { input.key }
    }

    /// The collection whose members are being read.
    private struct Place {
        let album: [String]
        let depth: Int
        /// The document that the collection is in is a file of this machine.
        let isLocal: Bool
        /// The server that the user named, if a document that came from it may name more of it.
        let server: NamedServer?
    }

    /// Documents that are fetched while one is read. Their bytes are on the disk together.
    private static let ahead = 6
    /// Warnings are for people to read.
    private static let maximumWarnings = 20

    private let importer: Importer
    /// The absolute folder of the list.
    private let folder: String
    private let scratch: ScratchDownloads
    private let allowsPrivate: Bool

    private var list = ImportedList(photos: [])
    private var albums = AlbumNames()
    /// The addresses that were read: a collection may name itself.
    private var visited: Set<String> = []
    private var size = 0
    private var failures: [String] = []
    private var notes: [String] = []
    private var reached: Set<String> = []

    /// - Parameter folder: the absolute folder of the list.
    init(_ importer: Importer, listIn folder: String, _ scratch: ScratchDownloads, allowsPrivate: Bool) {
        self.importer = importer
        self.folder = folder
        self.scratch = scratch
        self.allowsPrivate = allowsPrivate
    }

    /// - Throws: what ends an import: a full disk, but no member that can't be read.
    mutating func read(_ collection: IIIFCollection, in document: ManifestBytes) throws(GalleryError) {
        if let requested = document.requestedURL { visited.insert(ManifestInput.remote(url: requested).key) }
        try read(
            collection.members,
            Place(album: [], depth: 1, isLocal: !document.origin.isRemote, server: Self.server(of: document)))
    }

    /// - Throws: `ImportError` if there is no photo.
    consuming func finish() throws(ImportError) -> ImportedList {
        guard !list.photos.isEmpty || failures.isEmpty else { throw .noManifest(failures) }
        list.isComplete = failures.isEmpty && reached.isEmpty
        var warnings = failures.map { "left out: \($0)" } + notes
        if warnings.count > Self.maximumWarnings {
            let more = warnings.count - Self.maximumWarnings
            warnings = warnings.prefix(Self.maximumWarnings) + ["\(more) more warnings of this kind"]
        }
        list.warnings = warnings + reached.sorted()
        return try importer.finish(list, of: .collection)
    }

    private mutating func read(_ members: [IIIFCollection.Member], _ place: Place) throws(GalleryError) {
        // Members in the same document are read at their position; the others are fetched ahead of it.
        let documents = members.map { self.document($0, place) }
        var begun = 0
        for (index, member) in members.enumerated() {
            if case .nested(let collection) = member {
                try read(
                    collection.members,
                    Place(
                        album: album(collection.label ?? "Collection", in: place), depth: place.depth,
                        isLocal: place.isLocal, server: place.server))
                continue
            }
            guard let document = documents[index] else { continue }
            guard hasRoom(place) else { return }
            while begun < documents.count, begun <= index + Self.ahead {
                if let next = documents[begun], let policy = next.policy, begun > index, !visited.contains(next.key) {
                    try scratch.begin(next.input, policy: policy)
                }
                begun += 1
            }
            try read(document, place)
        }
    }

    private mutating func hasRoom(_ place: Place) -> Bool {
        if visited.count >= ImportLimits.collectionDocuments {
            reached.insert("only its first \(ImportLimits.collectionDocuments) manifests and collections are read")
        } else if size >= ImportLimits.collectionSize {
            reached.insert("only its first \(ImportLimits.collectionSize / 1_000_000) MB are read")
        } else if place.depth > ImportLimits.collectionDepth {
            reached.insert("only \(ImportLimits.collectionDepth) collections within one another are read")
        } else {
            return list.photos.count <= ImportLimits.photos
        }
        return false
    }

    private mutating func read(_ member: Member, _ place: Place) throws(GalleryError) {
        guard visited.insert(member.key).inserted else { return }
        let document: ManifestBytes
        let content: SourceContent
        do throws(GalleryError) {
            document = try bytes(of: member)
            size += document.bytes.count
            do throws(ImportError) {
                content = try importer.member(of: document.bytes, from: document.origin)
            } catch {
                throw .source(shown: member.input.shown, error)
            }
        } catch {
            switch error {
            case .source(_, .noPhotos): notes.append(error.message)
            case .source, .manifestUnreachable: failures.append(error.message)
            default: throw error
            }
            return
        }
        switch content {
        case .list(let photos):
            add(photos.listable(from: document, allowsPrivate: allowsPrivate), of: member, place)
        case .collection(let collection):
            // Only a document of this machine can name a server as the user does.
            let server = place.isLocal ? Self.server(of: document) : place.server
            let album =
                member.isPage ? place.album : album(member.label ?? collection.label ?? "Collection", in: place)
            try read(
                collection.members,
                Place(
                    album: album, depth: place.depth + 1, isLocal: !document.origin.isRemote, server: server))
        }
    }

    private mutating func add(_ photos: ImportedList, of member: Member, _ place: Place) {
        notes += photos.warnings.map { "\(member.input.shown): \($0)" }
        guard !photos.photos.isEmpty else { return }
        let album = album(member.label ?? photos.title ?? "Manifest", in: place)
        list.photos += photos.photos.map { photo in
            var photo = photo
            photo.album = album
            return photo
        }
    }

    /// The path of a new album in that of a collection. Several may have one label.
    private mutating func album(_ label: String, in place: Place) -> [String] {
        place.album + [albums.name(label, in: place.album)]
    }

    // MARK: Documents

    private func bytes(of member: Member) throws(GalleryError) -> ManifestBytes {
        if let policy = member.policy { return try scratch.fetch(member.input, policy: policy) }
        return ManifestBytes(origin: member.input.origin, bytes: try member.input.localBytes() ?? [])
    }

    /// The document of a member; nil for a collection that is in the same document.
    private func document(_ member: IIIFCollection.Member, _ place: Place) -> Member? {
        switch member {
        case .nested: nil
        case .reference(let address, let label): self.member(address, label, isPage: false, place)
        case .page(let address): self.member(address, nil, isPage: true, place)
        }
    }

    private func member(_ address: String, _ label: String?, isPage: Bool, _ place: Place) -> Member? {
        if address.hasPrefix("http://") || address.hasPrefix("https://") {
            let policy = policy(of: address, place)
            return Member(input: .remote(url: address), policy: policy, label: label, isPage: isPage)
        }
        guard place.isLocal else { return nil }
        let path = FilePath.normalized(address, in: folder)
        return Member(input: .file(path: path, shown: address), policy: nil, label: label, isPage: isPage)
    }

    /// What a local document names was written here. What another names comes from the network, and only the very
    /// server that the user named may be named again.
    private func policy(of address: String, _ place: Place) -> AddressPolicy {
        if place.isLocal { return AddressPolicy(isWrittenHere: true, allowsPrivate: allowsPrivate) }
        guard let server = place.server, server.isAsked(by: address) else {
            return AddressPolicy(isWrittenHere: false, allowsPrivate: allowsPrivate)
        }
        return AddressPolicy(isWrittenHere: true, ports: server.ports, allowsPrivate: allowsPrivate)
    }

    private static func server(of document: ManifestBytes) -> NamedServer? {
        guard case .remote(let location, _) = document.origin, let requested = document.requestedURL else { return nil }
        return NamedServer(requested, leadingTo: location)
    }
}

extension ManifestInput {
    /// Tells documents apart.
    fileprivate var key: String {
        switch self {
        case .file(let path, _): path
        case .standardInput: "-"
        case .remote(let url): RequestKey(url).text
        }
    }
}
