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

/// Walks through JSON that is structured like a property list: arrays of photos, and objects whose keys are the names
/// of photos or albums.
private struct ObjectWalk {
    private(set) var photos: [ImportedPhoto] = []
    private var reader: FieldReader
    /// The number of texts that are not written like addresses.
    private var otherTexts = 0

    /// The members in which a document can have its entries.
    private static let lists = [
        "photos", "images", "pictures", "items", "entries", "results", "records", "data", "media", "features",
    ]

    init(base: SourceBase) {
        reader = FieldReader(base: base)
    }

    var warnings: [String] {
        guard otherTexts > 0 else { return reader.warnings }
        let verbs = otherTexts == 1 ? "is not an address and is" : "are not addresses and are"
        return reader.warnings + ["\(counted(otherTexts, "text")) in it \(verbs) left out"]
    }

    mutating func readRoot(_ value: JSONValue, isRecord: Bool) {
        if case .object = value, address(of: value) == nil,
            let list = Self.lists.lazy.compactMap({ value[$0] }).first(where: { $0.elements?.first?.isObject == true })
        {
            read(list, name: nil, album: [])
        } else {
            read(value, name: nil, album: [], isRecord: isRecord)
        }
    }

    /// - Parameters:
    ///   - name: the key of the value. The parser limits the depth of the recursion.
    ///   - isRecord: whether the value is one of many, so that its members are fields and no names of photos.
    private mutating func read(_ value: JSONValue, name: String?, album: [String], isRecord: Bool = false) {
        guard photos.count <= ImportLimits.photos else { return }
        switch value {
        case .string(let address):
            if Self.isAddress(address) {
                add(reader.photo(address: address, album: album) { _ in nil }, name: name)
            } else {
                otherTexts += 1
            }
        case .array(let elements):
            let inner = album + (name.map { [$0] } ?? [])
            for element in elements { read(element, name: nil, album: inner, isRecord: true) }
        case .object(let members):
            if let address = address(of: value) { return addPhoto(members, address: address, name: name, album: album) }
            let inner = album + (name.map { [$0] } ?? [])
            let members = isRecord ? members.filter { $0.value.isObject || $0.value.elements != nil } : members
            guard !members.isEmpty else { return reader.skip() }
            for member in members { read(member.value, name: member.key, album: inner) }
        case .null, .bool, .number: break
        }
    }

    /// Whether a text is a URL, or the path of a file with the name of a picture.
    private static func isAddress(_ text: String) -> Bool {
        let text = WhiteSpace.trimmed(text)
        if let scheme = URLScheme.of(text) { return ["http", "https", "file"].contains(scheme) }
        return PictureName.isPicture(String(text.prefix { $0 != "?" && $0 != "#" }))
    }

    private mutating func addPhoto(
        _ members: [(key: String, value: JSONValue)], address: String, name: String?, album: [String]
    ) {
        let names = FieldNames(members.map(\.key))
        let photo = reader.photo(address: address, album: album) { field in
            names.index(of: field).flatMap { Self.text(members[$0].value) }
        }
        add(photo, name: name)
    }

    private mutating func add(_ photo: ImportedPhoto?, name: String?) {
        guard var photo else { return }
        photo.name = name ?? photo.name
        photos.append(photo)
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
