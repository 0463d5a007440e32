internal import PhotoModel

/// Walks through a property list and turns it into photos and albums, in the order of the file.
struct AlbumReader {
    /// The name of an album that has none, and of a photo that has none and whose address gives none.
    private static let untitled = "Untitled"

    private(set) var photos: [ManifestPhoto] = []
    private(set) var albums: [[String]] = []
    private(set) var warnings = ManifestWarnings()
    private let addresses: AddressResolver
    private var entryReader: EntryReader
    private let isCancelled: () -> Bool
    /// The number of photos between two checks for cancellation.
    private static let cancellationInterval = 1_000

    init(addresses: AddressResolver, isCancelled: @escaping () -> Bool) {
        self.addresses = addresses
        self.isCancelled = isCancelled
        entryReader = EntryReader(addresses: addresses)
    }

    mutating func readRoot(_ root: PropertyListValue) throws(ManifestError) {
        switch root.content {
        case .dict(let entries): try readAlbum(entries, path: [])
        case .array(let values): try readList(values, path: [])
        case .string, .number, .date, .data, .boolean:
            throw .brokenPropertyList(.rootIsNoList(root.kind), root.position)
        }
    }

    /// Reads a dict of names and their values. The limit on nested albums ends the recursion.
    private mutating func readAlbum(_ entries: [PropertyListEntry], path: [String]) throws(ManifestError) {
        for entry in entries {
            switch entry.value.content {
            case .string(let address):
                try add(addresses.resolve(address), name: entry.key, album: path, at: entry.keyPosition)
            case .dict(let fields) where Self.isPhoto(fields):
                try addPhoto(fields, key: entry.key, album: path, at: entry.keyPosition)
            case .dict(let inner):
                warnIfPhotoWithoutAddress(inner, entry)
                try readAlbum(inner, path: beginAlbum(entry, in: path))
            case .array(let values):
                try readList(values, path: beginAlbum(entry, in: path))
            case .number, .date, .data, .boolean:
                try add(
                    addresses.unusable(entry.value.addressProblem), name: entry.key, album: path,
                    at: entry.keyPosition)
            }
        }
    }

    /// Reads an array of photos, which are dicts or bare addresses.
    private mutating func readList(_ values: [PropertyListValue], path: [String]) throws(ManifestError) {
        for value in values {
            switch value.content {
            case .string(let address):
                try add(addresses.resolve(address), name: "", album: path, at: value.position)
            case .dict(let fields):
                try addPhoto(fields, key: nil, album: path, at: value.position)
            case .number, .date, .data, .boolean, .array:
                try add(addresses.unusable(value.addressProblem), name: "", album: path, at: value.position)
            }
        }
    }

    private mutating func beginAlbum(_ entry: PropertyListEntry, in path: [String]) throws(ManifestError) -> [String] {
        guard path.count < ManifestReader.maximumAlbumDepth else {
            throw .tooDeep(limit: ManifestReader.maximumAlbumDepth, entry.keyPosition)
        }
        let album = path + [entry.key.isEmpty ? Self.untitled : entry.key]
        guard album.reduce(0, { $0 + $1.utf8.count }) <= ManifestReader.maximumAlbumPathLength else {
            throw .albumPathTooLong(limit: ManifestReader.maximumAlbumPathLength, entry.keyPosition)
        }
        albums.append(album)
        return album
    }

    /// - Parameter key: the photo's key; nil if its dict is in an array.
    private mutating func addPhoto(
        _ fields: [PropertyListEntry], key: String?, album: [String], at position: TextPosition
    ) throws(ManifestError) {
        let entry = entryReader.read(fields, warnings: &warnings)
        if let key, !key.isEmpty, let name = entry.name, ExactText(name.text) != ExactText(key) {
            warnings.add("the name is not used: the key names this photo \(key.quoted)", at: name.position)
        }
        let name = key.flatMap { $0.isEmpty ? nil : $0 } ?? entry.name?.text ?? ""
        try add(
            entry.address, name: name, album: album, at: position, details: entry.details,
            extras: ManifestPhoto.Extras(
                filter: entry.filter, expectedChange: entry.expectedChange, pinned: entry.pinned,
                mirrors: entry.mirrors))
    }

    private mutating func add(
        _ address: AddressResolver.Address, name: String, album: [String], at position: TextPosition,
        details: PhotoDetails = PhotoDetails(), extras: ManifestPhoto.Extras = ManifestPhoto.Extras()
    ) throws(ManifestError) {
        if photos.count.isMultiple(of: Self.cancellationInterval), isCancelled() { throw .cancelled }
        photos.append(
            ManifestPhoto(
                album: album, name: name.isEmpty ? Self.name(from: address) : name, source: address.source,
                shownSource: address.shown, addressKey: address.key, details: details, extras: extras,
                position: position))
    }

    /// The file name of an address without its extension, or the host if there is no file name.
    private static func name(from address: AddressResolver.Address) -> String {
        guard !ShownAddress.isRedacted(address.shown) else { return untitled }
        let url: String
        switch address.source.map(\.location) {
        case .success(.file(let path)):
            let fileName = FileName.last(ofPath: path)
            return AddressSpelling.mayContainUserInfo(fileName) ? untitled : named(FileName.withoutExtension(fileName))
        case .success(.remote(let address)): url = address
        case .failure: url = address.shown
        }
        return named(FileName.last(ofURL: url).map(FileName.withoutExtension) ?? FileName.host(ofURL: url) ?? "")
    }

    private static func named(_ text: String) -> String {
        let name = WhiteSpace.collapsed(text)
        return name.isEmpty ? untitled : name
    }

    private static func isPhoto(_ fields: [PropertyListEntry]) -> Bool {
        fields.contains { field in EntryKey.addresses.contains { $0.rawValue == field.key } }
    }

    /// Warns about a dict with the keys of a photo but without an address. It is read as an album, which was probably
    /// not intended.
    private mutating func warnIfPhotoWithoutAddress(_ fields: [PropertyListEntry], _ entry: PropertyListEntry) {
        let keys = fields.lazy.filter(\.isText).map(\.key)
        guard let heuristic = PhotoHeuristic(keys: keys, all: fields.count) else { return }
        let advice =
            heuristic.addressKey.map { "rename \($0.quoted) to 'url'" } ?? "it needs url, image, icon or src"
        warnings.add(
            "\(entry.key.quoted) is read as an album, because it has no address; if it is a photo, \(advice)",
            at: entry.keyPosition)
    }
}
