internal import PhotoModel

/// The description of a photo for search engines and archives: an ImageObject (schema.org) in JSON-LD 1.1. Published
/// pictures contain no metadata, so the description names their creator and licence.
struct StructuredData {
    private let photo: SitePhoto
    /// The relative path from the page to the site, or the absolute address of the site.
    private let root: String

    init(_ photo: SitePhoto, root: String) {
        self.photo = photo
        self.root = root
    }

    /// The JSON as the content of a script element. It contains nothing that ends the element, begins another element
    /// or begins a comment.
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
            add("contentUrl", SitePath.link(toPicture: image.path, root: root))
            add("thumbnailUrl", photo.images.first.map { SitePath.link(toPicture: $0.path, root: root) })
            add("encodingFormat", image.path.hasSuffix(".png") ? "image/png" : "image/jpeg")
            members += [("width", .number(image.width)), ("height", .number(image.height))]
            members.append(("contentSize", .text(String(image.bytes))))
        }
        // `creator` would have to be a person or an organisation, and a credit doesn't say which of the two it is.
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

    /// A licence as JSON-LD: its address if it is an address or the usual short name of a Creative Commons licence, or
    /// else a work of that name.
    private static func license(_ text: String) -> JSON {
        if let address = LicenseLink.href(of: text) { return .text(address) }
        return ["@type": .text("CreativeWork"), "name": .text(text)]
    }
}
