/// The columns of a CSV, or the members of a JSON object, that correspond to the keys of a list.
struct FieldNames {
    /// The index of the field with the address; nil if there is none.
    let address: Int?
    /// The kind of that address, by the name of its field.
    private let addressField: AddressField?
    private var indices: [Field: Int] = [:]
    /// Whether the field of the link is one by its name. Otherwise it is a field such as `source`, which can have any
    /// text.
    let isLinkNamed: Bool

    /// The keys of a list, except that of the address.
    enum Field: CaseIterable {
        case name, caption, alt, credit, license, link, date, tags, album, filter, rating

        /// Whether the field has words, which can be in several languages.
        var isInALanguage: Bool {
            switch self {
            case .name, .caption, .alt, .credit, .license, .tags, .album: true
            case .link, .date, .filter, .rating: false
            }
        }
    }

    func index(of field: Field) -> Int? { indices[field] }

    /// The address of the picture in the field with the address; nil if there is none.
    func picture(at address: String) -> String? { (addressField ?? .any).picture(at: address) }

    private static let names: [(Field, [String])] = [
        (.name, ["name", "title", "objecttitle", "primarytitle", "label", "headline", "objectname"]),
        (
            .caption,
            [
                "caption", "subtitle", "description", "download", "desc", "summary", "abstract", "imagedescription",
                "contenttext",
            ]
        ),
        (.alt, ["alt", "alttext", "alternativetext", "assistivetext"]),
        (
            .credit,
            [
                "credit", "credittext", "creditline", "photographer", "creator", "artist", "artistdisplayname",
                "author", "authors", "byline", "attribution", "ownername", "user", "uploader",
            ]
        ),
        (.license, ["license", "licence", "licenseurl", "rights", "rightsstatement", "usageterms", "copyright"]),
        (
            .link,
            ["link", "page", "pageurl", "webpage", "permalink", "objecturl", "landingpage", "homepage", "linkresource"]
        ),
        (
            .date,
            [
                "date", "datetaken", "taken", "datetimeoriginal", "datepublished", "published", "pubdate", "created",
                "timestamp", "objectdate", "year",
            ]
        ),
        (.tags, ["tags", "tag", "keywords", "keyword", "subjects", "subject", "categories", "category"]),
        (.album, ["album", "albums", "folder", "gallery", "collection", "section"]),
        (.filter, ["filter"]),
        (.rating, ["rating", "stars"]),
    ]

    /// - Parameter written: the names as they are written.
    /// - Parameter chosen: the index of the field with the address, if the names alone do not tell it.
    init(_ written: [String], address chosen: Int? = nil) {
        let letters = written.map(Self.letters)
        var byName: [String: Int] = [:]
        for (index, name) in letters.enumerated().reversed() { byName[name] = index }
        func first(_ names: [String]) -> Int? { names.lazy.compactMap { byName[$0] }.first }
        for (field, names) in Self.names { indices[field] = first(names) }
        address = chosen ?? AddressField.column(of: letters)
        addressField = address.flatMap { AddressField.named(letters[$0])?.field }
        // If a picture has an address of its own, the other address is that of its page.
        if let url = first(AddressField.links), address != url, indices[.link] == nil {
            indices[.link] = url
            isLinkNamed = ["url", "uri", "href", "sourceurl"].contains(letters[url])
        } else {
            isLinkNamed = indices[.link] != nil
        }
    }

    /// The field that has a name, whatever else an object has.
    static func field(named letters: String) -> Field? { fields[letters] }

    private static let fields = Dictionary(
        names.flatMap { field, names in names.map { ($0, field) } }, uniquingKeysWith: { first, _ in first })

    /// The letters of a name in lower case, by which names are compared.
    static func letters(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }
}
