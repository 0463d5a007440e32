internal import Manifest

/// The kind of the address in a field, by the name of the field.
enum AddressField: CaseIterable {
    /// The field has the address of a picture.
    case picture
    /// The field has the path of a file. `fileName` can have a name without the folder.
    case file, fileName
    /// The field has the address of a IIIF image service.
    case service
    /// The field has an icon, which is the picture of some photos.
    case icon
    /// The field has any address: that of a picture or that of a page.
    case any
    /// The field has a smaller picture.
    case thumbnail
    /// The field has the picture of an album.
    case cover

    /// The names of fields, the best first. They are in lower case and contain only letters.
    private var names: [String] {
        switch self {
        case .picture:
            [
                "image", "imageurl", "imageuri", "imagelink", "src", "photo", "photourl", "picture", "pictureurl",
                "img", "imgurl", "contenturl", "primaryimage", "primaryimageurl", "bannerimage", "originalurl",
                "originalimage", "originalimageurl", "mediaurl", "fullurl", "largeimageurl", "webimage",
                "downloadurl", "fileurl", "elementurl", "publicurl", "archiveduri", "fullsize", "baseurl",
                "baseimageurl", "edmisshownby", "urlo", "urlk", "urlh", "urll", "urlc", "urlz", "urlm", "urlw",
                "urln", "snapshot", "snapshoturl", "webcamurl", "camurl",
            ]
        case .file: ["file", "filepath", "path", "localpath", "pathname", "sourcefile"]
        case .fileName: ["filename"]
        case .service:
            ["iiifurl", "iiifservice", "imageservice", "iiifbaseurl", "iiifbaseuri", "iiifimagebaseurl"]
        case .icon: ["icon"]
        case .any: Self.links + Self.ambiguous
        case .thumbnail: ["thumbnailurl", "thumbnail", "thumb", "primaryimagesmall", "primarythumbnail", "edmpreview"]
        case .cover: ["cover", "coverurl", "coverimage", "coverphoto", "coverpicture"]
        }
    }

    /// The fields of any address that become the link of a photo with another address.
    static let links = ["url", "uri", "href", "address", "source", "sourceurl"]

    /// The fields that have an address in some sources, and a text in others.
    private static let ambiguous = ["content"]

    private static let fields: [String: (field: AddressField, order: Int)] = {
        var fields: [String: (field: AddressField, order: Int)] = [:]
        for field in allCases {
            for name in field.names { fields[name] = (field, fields.count) }
        }
        return fields
    }()

    /// - Parameter letters: the name of a field in lower case, without other characters than letters.
    /// - Returns: the kind of the field, and its place in the order of preference; nil if it has no address.
    static func named(_ letters: String) -> (field: AddressField, order: Int)? { fields[letters] }

    /// The index of the column of a CSV with the address.
    static func column(of letters: [String]) -> Int? {
        letters.indices.filter { index in
            guard let field = named(letters[index])?.field else { return false }
            return field != .cover && !ambiguous.contains(letters[index])
        }.min { (named(letters[$0])?.order ?? 0) < (named(letters[$1])?.order ?? 0) }
    }

    /// The address of the picture; nil if a service has an address that is none. The picture of a IIIF image service is
    /// the full one. The address of a service can end like an original in a format for archives.
    func picture(at address: String) -> String? {
        let service = WhiteSpace.trimmed(address)
        guard self == .service, !service.isEmpty, !ImageService.isPicture(service) else { return address }
        let information = "/info.json"
        if service.hasSuffix(information) {
            return ImageService.fullPicture(String(service.dropLast(information.count)), version: 2)
        }
        if PictureName.isReadable(service) { return address }
        return service.hasSuffix(".json") ? nil : ImageService.fullPicture(service, version: 2)
    }
}
