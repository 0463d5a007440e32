internal import Manifest

/// An object of JSON, and the best of the addresses that it has itself.
struct JSONObject {
    /// A reader of the texts of an object, by field.
    typealias Details = (FieldNames.Field) -> String?

    struct Address {
        /// The kinds of addresses, the best first. `forms` is the largest of several sizes under a key for other forms
        /// of a picture. `named` is the address of a picture under a key with a word for pictures, or for links. `any`
        /// can be the address of a page, and `unclear` is a text that is not written like an address.
        enum Kind: Int, Comparable {
            case picture, size, file, service, anyPicture, forms, fileName, named, any, unclear, cover, thumbnail, icon

            static func < (first: Kind, second: Kind) -> Bool { first.rawValue < second.rawValue }
        }

        let text: String
        let kind: Kind
        /// The place of the key among those with the same kind of address.
        let order: Int
        /// The index of its member.
        let index: Int

        /// Whether the address is that of a picture which no list of photos replaces.
        var isSure: Bool { kind <= .named || kind == .cover }
    }

    let members: [(key: String, value: JSONValue)]
    let keys: [JSONKey]
    /// The address of the object; nil if it has none that a list can contain.
    private(set) var address: Address?
    /// Whether one of its own texts is a picture with a name.
    let hasNamedPictures: Bool
    /// The index of that text, if it is the only one.
    private let onlyNamedPicture: Int?
    /// Whether a member with an address has a key that is only a name.
    private var hasNamedAddresses = false
    /// Whether the keys of its addresses are sizes or other forms of one picture.
    private var hasSizes = false

    init(_ members: [(key: String, value: JSONValue)], base: SourceBase) {
        self.init(members, base: base, levels: 3)
    }

    /// - Parameter levels: how deep in objects the address can be.
    private init(_ members: [(key: String, value: JSONValue)], base: SourceBase, levels: Int) {
        self.members = members
        keys = members.map { JSONKey($0.key) }
        let (own, ownKeys) = (members, keys)
        let named = members.indices.lazy.filter {
            ownKeys[$0] == .name && own[$0].value.text.map(PictureText.endsLikePicture) == true
        }
        let pictures = Array(named.prefix(2))
        hasNamedPictures = !pictures.isEmpty
        onlyNamedPicture = pictures.count == 1 ? pictures[0] : nil
        guard levels > 0 else { return }
        let inner = members.map { member -> Address? in
            guard case .object(let members) = member.value else { return nil }
            return JSONObject(members, base: base, levels: levels - 1).address
        }
        let withAddress = members.indices.filter {
            inner[$0] != nil || members[$0].value.text.map(PictureText.isAddress) == true
        }
        hasNamedAddresses = withAddress.contains { keys[$0] == .name }
        hasSizes =
            !hasNamedAddresses
            && withAddress.contains { if case .size = keys[$0] { !JSONKey.isShape(members[$0].key) } else { false } }
        address =
            members.indices.compactMap { candidate(at: $0, inner: inner[$0]) }
            .filter { !$0.text.contains("{") && !PictureText.isOtherFile($0.text) }
            .filter { base.address(ofWritten: $0.text) != nil }
            .min { ($0.kind.rawValue, $0.order) < ($1.kind.rawValue, $1.order) }
    }

    /// - Parameter inner: the address of the object that the member is.
    private func candidate(at index: Int, inner: Address?) -> Address? {
        let (key, value) = members[index]
        func checked(_ text: String, _ kind: Address.Kind, _ order: Int) -> Address? {
            WhiteSpace.trimmed(text).isEmpty ? nil : Address(text: text, kind: kind, order: order, index: index)
        }
        switch keys[index] {
        case .address(let field, let order):
            // An array of pictures is a list.
            let first = field == .picture ? value : value.list.first
            guard let text = first?.text ?? inner?.text, let picture = field.picture(at: text),
                !Self.isAmbiguous(key) || PictureText.isAddress(text) || text.hasPrefix("/")
            else { return nil }
            let isPicture = PictureText.endsLikePicture(text)
            let isClear = inner != nil || PictureText.isAddress(text) || text.contains("/")
            // Without an ending, a path can be that of a page or of a folder.
            if field == .file || field == .fileName, !PictureText.isAddress(text) { return nil }
            let kind: Address.Kind =
                switch field {
                case .picture: isClear ? .picture : .unclear
                case .file: isPicture ? .file : .any
                case .fileName: isPicture ? .fileName : .any
                case .service: .service
                case .any: isPicture ? .anyPicture : .any
                case .icon: .icon
                case .cover: .cover
                case .thumbnail: .thumbnail
                }
            return checked(picture, kind, order)
        case .size(let order):
            guard hasSizes, let text = value.text ?? inner?.text, PictureText.isAddress(text) else { return nil }
            return checked(text, .size, order)
        case .list, .form, .forms, .picture:
            if let inner, inner.kind == .size {
                let isForm = keys[index] == .form || keys[index] == .forms
                return checked(inner.text, isForm ? .forms : .picture, Int.max)
            }
            guard let text = value.text, PictureText.isAddress(text) else { return nil }
            if keys[index] == .picture, PictureText.endsLikePicture(text) { return checked(text, .named, index) }
            return key.lowercased() == "preview" ? checked(text, .thumbnail, -1) : nil
        case .text(.link):
            guard let text = value.text, PictureText.endsLikePicture(text) else { return nil }
            return checked(text, .named, Int.max)
        default: return nil
        }
    }

    private static func isAmbiguous(_ key: String) -> Bool {
        ["source", "address", "content", "cover"].contains(FieldNames.letters(key))
    }

    // MARK: Contents

    /// Whether its own address is that of its picture, of which its other pictures can be other forms.
    var hasPicture: Bool { address.map { $0.kind < .named } ?? false }

    /// Whether a text that ends like a picture can be a photo beside its own address.
    func isOtherPicture(at index: Int) -> Bool {
        switch keys[index] {
        case .form, .picture: !hasPicture
        case .address(.icon, _), .address(.cover, _): address?.kind == .any || address?.kind == .unclear
        default: false
        }
    }

    /// Whether it has a text without an address, a number or a truth value, besides its own address.
    var hasFields: Bool {
        members.indices.contains { index in
            let value = members[index].value
            return index != address?.index && value.isField && !value.isBlank
                && value.text.map(PictureText.isAddress) != true
        }
    }

    /// Whether a member is about people, licences or the like, and has no photo. Tags in an object can be any fields.
    func isDetail(at index: Int) -> Bool {
        if case .object = members[index].value, keys[index] == .text(.tags) { return false }
        return keys[index].isDetail
    }

    /// The index of the only picture under an unknown key, in an object with fields and without an address.
    var onlyPicture: Int? {
        address == nil && onlyNamedPicture != nil && hasFields ? onlyNamedPicture : nil
    }

    /// Whether the keys can be the names of photos or albums, because each text is a named address.
    var hasOnlyNames: Bool {
        zip(members, keys).allSatisfy { member, key in
            !member.value.isField || member.value.isBlank
                || key == .name && member.value.text.map(PictureText.isAddress) == true
        }
    }

    /// Whether all keys can be names although one of them is that of an address.
    var hasNamesBesideAddress: Bool { address != nil && hasNamedAddresses && !hasFields && !hasLists }

    /// Whether a key is only a name, as those of sizes are beside other names.
    func isName(at index: Int) -> Bool {
        if case .size = keys[index] { !hasSizes } else { keys[index] == .name }
    }

    /// Whether it has named addresses, and is no part of a record that has it as a field.
    func hasNames(in key: JSONKey) -> Bool {
        let hasTexts = zip(members, keys).contains { $1 == .name && $0.value.text.map(PictureText.isAddress) == true }
        guard address == nil, hasTexts else { return false }
        if key.isList, key.isMainList { return true }
        return (hasNamedPictures || key == .name && hasOnlyNames) && details(.name) == nil
    }

    /// Whether its address is that of a IIIF image service.
    var isService: Bool { address?.kind == .service }

    /// Whether it has an address and no list of photos.
    var isPicture: Bool { address != nil && !hasLists }

    /// Whether an object in it has only an address that counts less than its own, such as that of a thumbnail.
    func isOtherAddress(_ part: JSONObject, at index: Int) -> Bool {
        guard let address, index != address.index, case .address = keys[index] else { return false }
        return part.isPicture
    }

    /// Whether a text is the name of the file that its address has.
    func isFileName(_ text: String) -> Bool {
        address.map { PictureText.fileName($0.text) == PictureText.fileName(text) } ?? false
    }

    /// Whether it has a list of photos under the key of a list.
    var hasLists: Bool {
        zip(members, keys).contains { $1.isPictures && $0.value.elements?.isEmpty == false }
    }

    /// The texts that describe the photo. Members without a value count as absent.
    var details: Details {
        let present = members.indices.filter { index in
            index == address?.index || !members[index].value.isBlank && !isIdentifier(at: index)
        }
        let own = address.flatMap { present.firstIndex(of: $0.index) }
        let names = FieldNames(present.map { members[$0].key }, address: own)
        return { field in
            names.index(of: field).flatMap {
                $0 == own ? nil : Self.text(members[present[$0]].value, canBeInLanguages: field.isInALanguage)
            }
        }
    }

    /// Whether a member has only numbers where a photo has a text, such as the number of its author in a database.
    private func isIdentifier(at index: Int) -> Bool {
        let (key, value) = members[index]
        guard value.list.allSatisfy({ if case .number = $0 { true } else { false } }) else { return false }
        return FieldNames.field(named: FieldNames.letters(key)).map { ![.name, .date, .rating].contains($0) } ?? false
    }

    /// The widest of several forms of a picture; nil if not all of them say how wide they are.
    static func widest(_ forms: [JSONValue]) -> JSONValue? {
        guard forms.count > 1, forms.allSatisfy({ $0["width"]?.number != nil }) else { return nil }
        return forms.max { ($0["width"]?.number ?? 0) < ($1["width"]?.number ?? 0) }
    }

    /// The widest of at least three sizes of one picture. They say nothing but their widths and heights, and have the
    /// same shape. Nil for anything else.
    static func widestSize(_ pictures: [JSONValue]) -> JSONValue? {
        guard pictures.count > 2, let widest = widest(pictures), let largest = PictureSize(widest) else { return nil }
        let sizes = pictures.compactMap(PictureSize.init)
        let areOfOne =
            sizes.count == pictures.count && Set(sizes.map(\.width)).count == sizes.count
            && sizes.allSatisfy { abs($0.height - $0.width * largest.height / largest.width) <= 1 }
        return areOfOne ? widest : nil
    }

    /// The text of a member: for an array that of its elements, for an object its name, or one of several languages.
    private static func text(_ value: JSONValue, canBeInLanguages: Bool) -> String? {
        switch value {
        case .string(let text), .number(let text): text
        case .array(let elements):
            elements.compactMap { text($0, canBeInLanguages: canBeInLanguages) }.joined(separator: "; ")
        case .object(let members): named(value) ?? (canBeInLanguages ? inLanguage(members) : nil)
        case .null, .bool: nil
        }
    }

    private static func named(_ value: JSONValue) -> String? {
        ["name", "value", "rendered", "_content", "url"].lazy.compactMap { value[$0]?.text }.first
    }

    private static func inLanguage(_ members: [(key: String, value: JSONValue)]) -> String? {
        let choice = LanguageChoice(members)
        guard choice.isCertain else { return nil }
        let texts = choice.values.lazy.compactMap { text($0, canBeInLanguages: false) }
        return texts.first { !WhiteSpace.trimmed($0).isEmpty }
    }
}

/// The width and height of a picture that is an address with only these fields.
private struct PictureSize {
    let width: Double
    let height: Double

    init?(_ picture: JSONValue) {
        guard case .object(let members) = picture, members.count == 3,
            members.contains(where: { $0.value.text.map(PictureText.isAddress) == true }),
            let width = picture["width"]?.number, let height = picture["height"]?.number, width > 0, height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
    }
}
