internal import Manifest

/// The columns of a CSV, or the members of a JSON object, that correspond to the keys of a list.
struct FieldNames {
    /// The index of the field with the address; nil if there is none.
    private(set) var address: Int?
    /// The kind of the address, by the name of its field.
    private(set) var addressKind = AddressKind.any
    /// Whether the address is that of a IIIF image service.
    private var isImageService = false
    private var indices: [Field: Int] = [:]

    /// The keys of a list, except that of the address.
    enum Field: CaseIterable {
        case name, caption, alt, credit, license, link, date, tags, album, filter, rating
    }

    /// The kind of an address, as far as the name of its field tells it. A document with an address of another kind
    /// than `picture` can still be a list of photos.
    enum AddressKind {
        /// The address is that of a picture.
        case picture
        /// The address is that of an icon, which is the picture of some photos.
        case icon
        /// The address can be that of anything.
        case any
    }

    func index(of field: Field) -> Int? { indices[field] }

    /// The address of the picture: that of the full one if the field has the address of a IIIF image service.
    func picture(at address: String) -> String {
        let service = WhiteSpace.trimmed(address)
        guard isImageService, !service.isEmpty, !ImageService.isPicture(service) else { return address }
        let information = "/info.json"
        return ImageService.fullPicture(
            service.hasSuffix(information) ? String(service.dropLast(information.count)) : service, version: 2)
    }

    /// The names of fields with the address of a picture. The names of fields with any address come last. All names are
    /// in lower case and contain only letters.
    private static let pictures = [
        "image", "imageurl", "imageuri", "imagelink", "icon", "src", "photo", "photourl", "picture", "pictureurl",
        "img", "imgurl", "contenturl", "primaryimage", "bannerimage", "originalurl", "mediaurl", "fullurl",
    ]
    private static let files = ["file", "filename", "filepath", "path", "localpath", "pathname"]
    private static let services = ["iiifurl", "iiifservice", "imageservice", "iiifbaseurl"]
    private static let addresses = ["url", "uri", "href", "address", "source", "sourceurl"]
    private static let thumbnails = ["thumbnailurl", "thumbnail", "thumb", "primaryimagesmall"]

    private static let names: [(Field, [String])] = [
        (.name, ["name", "title", "objecttitle", "label", "headline", "objectname"]),
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
                "author", "authors", "byline", "attribution",
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

    init(_ written: [String]) {
        var byName: [String: Int] = [:]
        for (index, name) in written.enumerated().reversed() { byName[Self.letters(name)] = index }
        func first(_ names: [String]) -> Int? { names.lazy.compactMap { byName[$0] }.first }
        for (field, names) in Self.names { indices[field] = first(names) }
        let url = first(Self.addresses)
        if let picture = first(Self.pictures) {
            address = picture
            addressKind = Self.letters(written[picture]) == "icon" ? .icon : .picture
        } else if let file = first(Self.files) {
            address = file
        } else if let service = first(Self.services) {
            (address, isImageService) = (service, true)
        } else {
            address = url ?? first(Self.thumbnails)
        }
        // If a picture has an address of its own, the other address is that of its page.
        if let url, address != url, indices[.link] == nil { indices[.link] = url }
    }

    private static func letters(_ name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }
}
