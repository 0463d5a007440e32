/// The meaning of a member's value, by its key.
enum JSONKey: Equatable {
    /// The value is the address of the object's picture, or of its page.
    case address(AddressField, order: Int)
    /// The value is the picture in this size. The largest size has the lowest number.
    case size(Int)
    /// The value has photos or albums. The key names no album.
    case list(ListKind)
    /// The value describes the object.
    case text(FieldNames.Field)
    /// The value has links to other forms of the object.
    case links
    /// The value is a smaller or another form of the object's picture. `forms` has several. `picture` can be the best.
    case form, forms, picture
    /// The value has objects that the entries refer to.
    case included
    /// The value is about people, licences or the format, and has no photo.
    case details
    /// The key is the name of a photo or an album in a map, or an unknown field in a record.
    case name

    enum ListKind {
        /// The list is what the document is about, and makes an album of a record with a name.
        case album
        /// The list is what the document is about.
        case entries
        /// The list is what the document is about. In a record, its photos are those of the record.
        case pictures
        /// The list can also belong to a photo.
        case media
    }

    init(_ key: String) {
        let letters = FieldNames.letters(key)
        if key.hasPrefix("@") || letters.contains("avatar") {
            self = .details
        } else if let size = Self.sizes[key.lowercased()], key != "M" {
            self = .size(size)
        } else if let known = Self.keys[letters] {
            self = known
        } else if letters.contains("licen"), FieldNames.field(named: letters) == nil {
            self = .details
        } else if let address = AddressField.named(letters) {
            self = Self.isNumbered(key) ? .name : .address(address.field, order: address.order)
        } else if let field = FieldNames.field(named: letters) {
            self = .text(field)
        } else if letters.hasSuffix("name") {
            self = .text(.name)
        } else if Self.formWords.contains(where: letters.contains) {
            let isPicture = Self.pictureWords.contains(where: letters.contains)
            self = isPicture && !Self.otherWords.contains(where: letters.contains) ? .picture : .form
        } else {
            self = .name
        }
    }

    var isList: Bool { if case .list = self { true } else { false } }

    /// Whether an array under the key has the pictures of the object.
    var isPictures: Bool {
        switch self {
        case .list, .address(.picture, _): true
        default: false
        }
    }

    /// Whether an array under the key makes a document a list, so that its own picture is a cover.
    var isMainList: Bool { isPictures && self != .list(.media) }

    /// Whether what a record says of its photo holds for the photos under the key.
    var hasPhotosOfRecord: Bool { self == .forms || isPictures && self != .list(.entries) }

    /// Whether the value can be another form of the object's picture.
    var isForm: Bool {
        switch self {
        case .address, .size, .form, .forms, .picture: true
        default: false
        }
    }

    /// Whether the value is no photo in an object with other fields.
    var isDetail: Bool {
        switch self {
        case .details, .text(.credit), .text(.license), .text(.tags): true
        default: false
        }
    }

    /// Whether the key can be the name of a picture whose address does not end like one.
    var canName: Bool { isForm || isList || self == .name }

    /// Whether the value of the key is a link if it does not end like a picture.
    static func isLink(_ key: String) -> Bool {
        let letters = FieldNames.letters(key)
        return ["url", "uri", "href", "link"].contains(where: letters.hasSuffix)
    }

    /// Whether an unknown key is written like the name of a field, and not like that of a photo.
    static func isField(_ key: String) -> Bool {
        key.first.map { ("a"..."z").contains($0) } == true && !key.contains(" ")
    }

    /// Whether the key is a size only beside other sizes, and otherwise a common name of photos.
    static func isShape(_ key: String) -> Bool {
        ["preferred", "landscape", "portrait", "square"].contains(key.lowercased())
    }

    /// The sizes, the largest first. "m" is the only size in Flickr's feeds.
    private static let sizes = Dictionary(
        uniqueKeysWithValues: [
            "original", "raw", "full", "large2x", "xlarge", "large", "preferred", "regular", "medium", "small",
            "landscape", "portrait", "square", "small_s3", "tiny", "m",
        ].enumerated().map { ($1, $0) })

    private static let keys: [String: JSONKey] = {
        var keys: [String: JSONKey] = [:]
        for name in ["photos", "items", "entries", "albums", "galleries"] { keys[name] = .list(.album) }
        for name in ["results", "records", "features"] { keys[name] = .list(.entries) }
        for name in ["images", "pictures"] { keys[name] = .list(.pictures) }
        for name in [
            "data", "media", "attachments", "mediaattachments", "onlinemedia", "associatedmedia", "enclosures", "files",
        ] { keys[name] = .list(.media) }
        for name in [
            "resources", "resolutions", "sizes", "variants", "formats", "renditions", "derivatives", "previews",
            "preview", "thumbnails", "srcset", "mediadetails", "latest",
        ] { keys[name] = .forms }
        for name in [
            "id", "guid", "version", "schema", "context", "protocol", "profile", "self", "next", "prev", "previous",
            "first", "last", "nextpage", "prevpage", "previouspage", "pagination", "paging", "documentation", "docs",
            "help", "terms", "generator", "meta", "facets", "licenses", "licences", "user", "users", "account", "owner",
            "uploader", "contributor", "contributors", "artists", "creators", "people", "publisher", "provider",
            "sponsor", "sponsors", "profileimage", "userimageurl",
        ] { keys[name] = .details }
        keys["links"] = .links
        keys["included"] = .included
        return keys
    }()

    /// The parts of the keys of a picture's other forms.
    private static let formWords = [
        "image", "photo", "picture", "img", "thumb", "preview", "icon", "logo", "poster", "banner", "url", "uri",
        "href", "src",
    ]

    /// The parts of the keys of the picture itself, and those of smaller pictures and of pictures of something else.
    private static let pictureWords = ["image", "photo", "picture", "img", "poster", "snapshot"]
    private static let otherWords = [
        "thumb", "preview", "icon", "logo", "banner", "small", "profile", "user", "author", "flag", "map",
    ]

    /// Whether a key ends with a number, such as "photo2". A long number is a size.
    private static func isNumbered(_ key: String) -> Bool {
        (1...2).contains(key.reversed().prefix { $0.isASCII && $0.isNumber }.count)
    }
}
