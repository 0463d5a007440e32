internal import Addresses
internal import Manifest
internal import PhotoModel

/// Makes a list from JSON: from any objects that have an address each.
struct JSONImporter {
    let base: SourceBase

    func list(of values: [JSONValue]) -> ImportedList {
        var walk = ObjectWalk(base: base)
        for value in values { walk.readRoot(value, isRecord: values.count > 1) }
        return ImportedList(photos: walk.photos, warnings: walk.warnings)
    }
}

/// Walks through JSON that is structured like a property list, with arrays of photos, and objects whose keys are the
/// names of photos or albums. If an object of an array has a text or a number, it is a record, and its keys are the
/// names of fields.
private struct ObjectWalk {
    /// The meaning of a value in the value around it.
    private enum Role {
        /// The value has a key, which names a photo or an album; nil for the document.
        case named(String?)
        /// The value is one of many.
        case record
        /// The value is a field of a record without an address. The photos in it have the record's name if they have
        /// none.
        case field(of: String?)
    }

    private(set) var photos: [ImportedPhoto] = []
    private var reader: FieldReader
    /// The number of texts that are not written like addresses.
    private var otherTexts = 0

    /// The members in which a document can have its entries.
    private static let lists = [
        "photos", "images", "pictures", "items", "entries", "results", "records", "data", "media", "features",
    ]
    /// The members that have the entries of an album, if the object has a name.
    private static let contents: Set<String> = ["photos", "items", "entries", "albums", "galleries"]
    /// The members of a record that have one picture in several sizes, and the keys of the sizes, the best first.
    private static let variants: Set<String> = ["src", "urls", "sizes", "images"]
    private static let sizes = [
        "original", "raw", "full", "large2x", "xlarge", "large", "regular", "medium", "small", "tiny",
    ]
    /// The members of a record that link to other forms of it.
    private static let links: Set<String> = ["links", "_links"]

    init(base: SourceBase) {
        reader = FieldReader(base: base)
    }

    var warnings: [String] {
        guard otherTexts > 0 else { return reader.warnings }
        let verbs = otherTexts == 1 ? "is not an address and is" : "are not addresses and are"
        return reader.warnings + ["\(counted(otherTexts, "text")) in it \(verbs) left out"]
    }

    mutating func readRoot(_ value: JSONValue, isRecord: Bool) {
        if let list = Self.lists.lazy.compactMap({ key in value[key].map { (key: key, value: $0) } })
            .first(where: { $0.value.elements?.first?.isObject == true }),
            address(of: value) == nil || !isRecord && hasEntries(value, in: list)
        {
            read(list.value, as: .named(nil), album: [])
        } else {
            read(value, as: isRecord ? .record : .named(nil), album: [])
        }
    }

    /// Whether a document with an address has its photos in a list. The address is then that of its cover, its icon or
    /// its next page.
    private func hasEntries(_ document: JSONValue, in list: (key: String, value: JSONValue)) -> Bool {
        (Self.contents.contains(list.key) || !isPicture(document)) && hasAddress(list.value)
    }

    /// Reads a value. The parser limits the depth of the recursion.
    private mutating func read(_ value: JSONValue, as role: Role, album: [String]) {
        guard photos.count <= ImportLimits.photos else { return }
        switch value {
        case .string(let text): read(text, as: role, album: album)
        case .array(let elements):
            for element in elements {
                switch role {
                case .named(let name): read(element, as: .record, album: album + (name.map { [$0] } ?? []))
                case .record, .field: read(element, as: role, album: album)
                }
            }
        case .object(let members):
            if let address = address(of: value) { return addPhoto(members, address: address, as: role, album: album) }
            switch role {
            case .named(let name):
                guard !members.isEmpty else { return reader.skip() }
                for member in members {
                    read(member.value, as: .named(member.key), album: album + (name.map { [$0] } ?? []))
                }
            case .record:
                let before = (photos.count, reader.skipped)
                // If no member has a text or a number, the keys are names.
                if members.contains(where: { $0.value.isField }) {
                    readFields(members, name: nil, album: album)
                } else {
                    for member in members { read(member.value, as: .named(member.key), album: album) }
                }
                if (photos.count, reader.skipped) == before { reader.skip() }
            case .field(let name): readFields(members, name: name, album: album)
            }
        case .null, .bool, .number: break
        }
    }

    private mutating func read(_ text: String, as role: Role, album: [String]) {
        if Self.isAddress(text) {
            add(reader.photo(address: text, album: album) { _ in nil }, as: role)
        } else if case .field = role {
            // The texts of a record are its details.
        } else {
            otherTexts += 1
        }
    }

    /// Reads the photos in the fields of a record without an address.
    private mutating func readFields(_ members: [(key: String, value: JSONValue)], name: String?, album: [String]) {
        let index = FieldNames(members.map(\.key)).index(of: .name)
        let name = index.flatMap { Self.text(members[$0].value) } ?? name
        for member in members where member.value.isObject || member.value.elements != nil {
            let key = member.key.lowercased()
            let isContents = Self.contents.contains(key)
            if !isContents, let picture = largest(of: member.value, isVariants: Self.variants.contains(key)) {
                read(picture, as: .field(of: name), album: album)
            } else if isContents && name != nil {
                read(member.value, as: .named(name), album: album)
            } else if !Self.links.contains(key), hasNamedPictures(member.value) {
                // The key of a list says nothing about its photos. Any other key is the name of an album.
                let isList = isContents || Self.lists.contains(key)
                read(member.value, as: .named(isList ? name : member.key), album: album)
            } else {
                read(member.value, as: .field(of: name), album: album)
            }
        }
    }

    /// The address of the largest picture in an object whose keys are sizes; nil if they are not.
    /// - Parameter isVariants: whether the key of the object says that it has one picture in several sizes.
    private func largest(of value: JSONValue, isVariants: Bool) -> String? {
        guard isVariants || hasNamedPictures(value) else { return nil }
        return Self.sizes.lazy.compactMap { size in value[size].flatMap { $0.text ?? address(of: $0) } }.first
    }

    /// Whether the keys of an object without an address are the names of pictures: all its texts are addresses, and one
    /// of them ends like a picture.
    private func hasNamedPictures(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value, address(of: value) == nil else { return false }
        let texts = members.compactMap(\.value.text)
        return texts.allSatisfy(Self.isAddress) && texts.contains { Self.endsLikePicture(WhiteSpace.trimmed($0)) }
    }

    /// Whether an object has the address of a picture, and not only that of its icon or of a page.
    private func isPicture(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value, let address = address(of: value) else { return false }
        switch FieldNames(members.map(\.key)).addressKind {
        case .picture: return true
        case .icon: return false
        case .any: return Self.endsLikePicture(WhiteSpace.trimmed(address))
        }
    }

    /// Whether a text is a URL, or the path of a file with the name of a picture.
    private static func isAddress(_ text: String) -> Bool {
        let text = WhiteSpace.trimmed(text)
        if let scheme = URLScheme.of(text) { return ["http", "https", "file"].contains(scheme) }
        return endsLikePicture(text)
    }

    private static func endsLikePicture(_ address: String) -> Bool {
        PictureName.isPicture(String(address.prefix { $0 != "?" && $0 != "#" }))
    }

    private mutating func addPhoto(
        _ members: [(key: String, value: JSONValue)], address: String, as role: Role, album: [String]
    ) {
        let names = FieldNames(members.map(\.key))
        let photo = reader.photo(address: address, album: album) { field in
            names.index(of: field).flatMap { Self.text(members[$0].value) }
        }
        add(photo, as: role)
    }

    private mutating func add(_ photo: ImportedPhoto?, as role: Role) {
        guard var photo else { return }
        switch role {
        case .named(let name): photo.name = name ?? photo.name
        case .field(let name): photo.name = photo.name ?? name
        case .record: break
        }
        photos.append(photo)
    }

    private func hasAddress(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: hasAddress)
        case .object(let members): address(of: value) != nil || members.contains { hasAddress($0.value) }
        case .string, .null, .bool, .number: false
        }
    }

    /// The address of an object that is a photo. It is a text, or is in an object that has an address.
    private func address(of value: JSONValue) -> String? {
        guard case .object(let members) = value else { return nil }
        let names = FieldNames(members.map(\.key))
        switch names.address.map({ members[$0].value }) {
        case .string(let address)?: return names.picture(at: address)
        case .object(let inner)?:
            guard let nested = FieldNames(inner.map(\.key)).address else { return nil }
            return inner[nested].value.text.map(names.picture)
        default: return nil
        }
    }

    /// The text of a member: for an array that of its elements, for an object its name.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text), .number(let text): text
        case .array(let elements):
            elements.compactMap(text).joined(separator: "; ")
        case .object: value["name"]?.text ?? value["value"]?.text ?? value["url"]?.text
        case .null, .bool: nil
        }
    }
}
