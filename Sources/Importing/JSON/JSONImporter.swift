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
/// names of photos or albums. The objects of an array are records, whose keys are the names of fields.
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
    /// The members of a record with a name that make it an album.
    private static let contents: Set<String> = ["photos", "items", "entries", "albums", "galleries"]
    /// The members of a record that have one picture in several sizes, and the keys of the sizes, the best first.
    private static let variants: Set<String> = ["src", "urls", "sizes", "images"]
    private static let sizes = ["original", "raw", "full", "large2x", "large", "regular", "medium", "small"]

    init(base: SourceBase) {
        reader = FieldReader(base: base)
    }

    var warnings: [String] {
        guard otherTexts > 0 else { return reader.warnings }
        let verbs = otherTexts == 1 ? "is not an address and is" : "are not addresses and are"
        return reader.warnings + ["\(counted(otherTexts, "text")) in it \(verbs) left out"]
    }

    mutating func readRoot(_ value: JSONValue, isRecord: Bool) {
        let list = Self.lists.lazy.compactMap { value[$0] }.first { $0.elements?.first?.isObject == true }
        // A document often has an address of its own, such as that of its icon or its next page.
        if let list, !isPicture(value),
            address(of: value) == nil || !isRecord && list.list.contains(where: hasAddress)
        {
            read(list, as: .named(nil), album: [])
        } else {
            read(value, as: isRecord ? .record : .named(nil), album: [])
        }
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
                let count = photos.count
                // If no member has a text or a number, the keys are names.
                if members.contains(where: { $0.value.isField }) {
                    readFields(members, name: nil, album: album)
                } else {
                    for member in members { read(member.value, as: .named(member.key), album: album) }
                }
                if photos.count == count { reader.skip() }
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
            if let name, Self.contents.contains(member.key) {
                read(member.value, as: .named(name), album: album)
            } else if Self.variants.contains(member.key), let picture = Self.largest(of: member.value) {
                read(picture, as: .field(of: name), album: album)
            } else {
                read(member.value, as: .field(of: name), album: album)
            }
        }
    }

    /// The address of the largest picture in an object whose keys are sizes.
    private static func largest(of value: JSONValue) -> String? {
        sizes.lazy.compactMap { value[$0]?.text }.first
    }

    /// Whether an object has the address of a picture, and not only that of its icon or of a page.
    private func isPicture(_ value: JSONValue) -> Bool {
        guard let address = address(of: value), address != value["icon"]?.text else { return false }
        return Self.endsLikePicture(WhiteSpace.trimmed(address))
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
        let photo = reader.photo(address: names.picture(at: address), album: album) { field in
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
        guard case .object(let members) = value, let index = FieldNames(members.map(\.key)).address else { return nil }
        switch members[index].value {
        case .string(let address): return address
        case .object(let inner):
            guard let nested = FieldNames(inner.map(\.key)).address else { return nil }
            return inner[nested].value.text
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
