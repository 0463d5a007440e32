internal import PhotoModel

/// Reads a manifest of IIIF's Presentation API, version 2 or 3. Each picture on a canvas becomes a photo.
struct IIIFImporter {
    let base: SourceBase

    static func isIIIF(_ root: JSONValue) -> Bool {
        let contexts = root["@context"]?.list.compactMap(\.text) ?? []
        if contexts.contains(where: { $0.contains("iiif.io/api/presentation") }) { return true }
        let type = root["@type"]?.text ?? root["type"]?.text
        return type == "sc:Manifest" || type == "sc:Collection"
            || type == "Manifest" && root["items"]?.elements?.first?["type"]?.text == "Canvas"
    }

    func list(of root: JSONValue) -> ImportedList {
        let canvases = root["items"]?.elements ?? (root["sequences"]?.elements ?? []).first?["canvases"]?.elements ?? []
        let shared = details(of: root)
        // A manifest can have any number of canvases, each of which gets the title if it has no label.
        let title = Self.text(root["label"]).flatMap { PlainText.shortened($0, to: ImportLimits.nameLength) }
        var photos: [ImportedPhoto] = []
        var empty = 0
        for (index, canvas) in canvases.enumerated() {
            guard photos.count <= ImportLimits.photos else { break }
            let pictures = Self.pictures(of: canvas).compactMap(address)
            if pictures.isEmpty { empty += 1 }
            let label = Self.text(canvas["label"])
            let name = canvases.count == 1 ? title ?? label : label ?? title.map { "\($0), \(index + 1)" }
            let details = details(of: canvas, after: shared)
            photos += pictures.map { ImportedPhoto(name: name, address: $0, details: details) }
        }
        let warning = "\(empty) of its canvases have no picture in the manifest itself"
        return ImportedList(photos: photos, title: title, warnings: empty == 0 ? [] : [warning])
    }

    /// The bodies that are painted on a canvas.
    private static func pictures(of canvas: JSONValue) -> [JSONValue] {
        let second = (canvas["images"]?.elements ?? []).compactMap { $0["resource"] }
        let third = (canvas["items"]?.elements ?? []).flatMap { $0["items"]?.elements ?? [] }.compactMap { $0["body"] }
        return (second + third).flatMap(\.list).map(chosen)
    }

    /// The picture that a body stands for: the first of several alternatives, or the whole of a part.
    private static func chosen(_ body: JSONValue) -> JSONValue {
        switch body["type"]?.text ?? body["@type"]?.text {
        case "Choice": body["items"]?.elements?.first ?? body
        case "oa:Choice": body["default"] ?? body
        case "oa:SpecificResource": body["full"] ?? body
        case "SpecificResource": body["source"] ?? body
        default: body
        }
    }

    private func address(of body: JSONValue) -> String? {
        let type = body["type"]?.text ?? body["@type"]?.text ?? "Image"
        guard type == "Image" || type == "dctypes:Image" || type == "oa:SpecificResource" else { return nil }
        let services = (body["service"]?.list ?? []) + (body["services"]?.list ?? [])
        let service = services.first { service in
            let described = ["type", "@type", "@context"].compactMap { service[$0]?.text }.joined(separator: " ")
            let profile = service["profile"]?.list.lazy.compactMap(\.text).first ?? ""
            return described.contains("Image") || described.contains("/image") || profile.contains("image")
                || profile.hasPrefix("level")
        }
        if let service, let id = Self.id(service) {
            return base.address(of: ImageService.fullPicture(id, version: ImageService.version(of: service)))
        }
        return Self.id(body).flatMap(base.address(of:))
    }

    static func id(_ value: JSONValue) -> String? { value["id"]?.text ?? value["@id"]?.text }

    /// - Parameter manifest: the details of the manifest, which apply unless the canvas states its own.
    private func details(of value: JSONValue, after manifest: PhotoDetails = PhotoDetails()) -> PhotoDetails {
        var details = manifest
        let statement = value["requiredStatement"]?["value"] ?? value["attribution"]
        if let credit = Self.text(statement) { details.credit = credit }
        let rights = value["rights"] ?? value["license"]
        if let license = rights?.list.lazy.compactMap({ $0.text ?? Self.id($0) }).first { details.license = license }
        if let caption = Self.text(value["summary"] ?? value["description"]) { details.caption = caption }
        if let date = value["navDate"]?.text { details.date = ImportedDate.text(date) }
        let page = (value["homepage"] ?? value["related"])?.list.first
        if let link = page.flatMap({ $0.text ?? Self.id($0) }).flatMap(base.link) { details.link = link }
        return details
    }

    /// The text of a value in any form that the two versions have, without markup. If there is a choice of languages,
    /// it is in the preferred one.
    static func text(_ value: JSONValue?) -> String? {
        let texts: [String]
        switch value {
        case .string(let text)?: texts = [text]
        case .array(let elements)?:
            let english = elements.filter { $0["@language"]?.text?.hasPrefix("en") == true }
            texts = (english.isEmpty ? elements : english).compactMap { $0.text ?? $0["@value"]?.text }
        case .object(let members)?:
            if let text = value?["@value"]?.text {
                texts = [text]
            } else {
                texts = LanguageChoice(members).values.lazy.map { $0.list.compactMap(\.text) }.first { $0 != [] } ?? []
            }
        default: return nil
        }
        let text = texts.map(PlainText.ofHTML).joined(separator: "; ")
        return text.isEmpty ? nil : text
    }
}
