internal import PhotoModel

/// The description of a photo for search engines and archives: an ImageObject (schema.org) in JSON-LD 1.1. Published
/// pictures carry no metadata, so their creator and licence are stated here.
struct StructuredData {
    private let photo: SitePhoto
    /// From the page to the site, or the site's absolute address.
    private let root: String

    init(_ photo: SitePhoto, root: String) {
        self.photo = photo
        self.root = root
    }

    /// For the content of a script element: nothing in it ends that element, begins another, or begins a comment.
    var script: [UInt8] {
        var json: [UInt8] = []
        value.write(to: &json)
        var script: [UInt8] = []
        script.reserveCapacity(json.count + 64)
        for byte in json {
            switch byte {
            case UInt8(ascii: "<"): script += "\\u003c".utf8
            case UInt8(ascii: ">"): script += "\\u003e".utf8
            case UInt8(ascii: "&"): script += "\\u0026".utf8
            default: script.append(byte)
            }
        }
        return script
    }

    private var value: JSON {
        let details = photo.details
        var members: [(key: String, value: JSON)] = [
            ("@context", .text("https://schema.org")), ("@type", .text("ImageObject")), ("name", .text(photo.name)),
        ]
        func add(_ key: String, _ text: String?) {
            if let text, !text.isEmpty { members.append((key, .text(text))) }
        }
        add("description", details.alt)
        add("caption", details.caption)
        if let image = photo.images.last {
            add("contentUrl", root + SitePath.encoded(image.path))
            add("thumbnailUrl", photo.images.first.map { root + SitePath.encoded($0.path) })
            add("encodingFormat", image.path.hasSuffix(".png") ? "image/png" : "image/jpeg")
            members += [("width", .number(image.width)), ("height", .number(image.height))]
            members.append(("contentSize", .text(String(image.bytes))))
        }
        // Not as `creator`, which has to be said to be a person or an organisation: a credit does not tell which.
        add("creditText", details.credit)
        let notice = [details.credit, details.license].compactMap(\.self).filter { !$0.isEmpty }
        add("copyrightNotice", notice.joined(separator: ", "))
        if let license = details.license { members.append(("license", Self.license(license))) }
        add("isBasedOn", photo.sourceLink)
        add("mainEntityOfPage", details.link)
        add("dateCreated", photo.taken ?? details.date)
        if !details.tags.isEmpty { members.append(("keywords", .list(details.tags.map { .text($0) }))) }
        let noted = [("camera", photo.camera), ("lens", photo.lens), ("exposure", photo.exposure)]
        let properties: [JSON] = noted.compactMap { name, value in
            value.map { ["@type": .text("PropertyValue"), "name": .text(name), "value": .text($0)] }
        }
        if !properties.isEmpty { members.append(("exifData", .list(properties))) }
        return .object(members)
    }

    /// An address as it is; of a Creative Commons licence that is named by its usual short name, the address; any other
    /// name as a work of that name.
    private static func license(_ text: String) -> JSON {
        if let address = LicenseLink.href(of: text) { return .text(address) }
        return ["@type": .text("CreativeWork"), "name": .text(text)]
    }
}
