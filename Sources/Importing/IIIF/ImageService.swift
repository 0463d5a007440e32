/// Makes addresses of IIIF's Image API.
enum ImageService {
    /// The address of the whole picture as JPEG (Image API 2.1 §4.2, 3.0 §4.2; version 1.1 §4.5 for its quality).
    static func fullPicture(_ service: String, version: Int) -> String {
        let service = service.hasSuffix("/") ? String(service.dropLast()) : service
        return switch version {
        case ...1: service + "/full/full/0/native.jpg"
        case 2: service + "/full/full/0/default.jpg"
        default: service + "/full/max/0/default.jpg"
        }
    }

    /// Whether an address is that of a picture, and not that of the service, which can end like a picture's name
    /// (Image API 2.1 §4.4, 3.0 §4.4; version 1.1 §4.5 for "native").
    static func isPicture(_ address: String) -> Bool {
        let parts = address.split(separator: "/").last?.split(separator: ".") ?? []
        return parts.count == 2 && ["default", "native", "color", "gray", "grey", "bitonal"].contains(parts[0])
    }

    /// The version that a service object states by its type, context or profile.
    static func version(of service: JSONValue) -> Int {
        let type = service["type"]?.text ?? service["@type"]?.text ?? ""
        if let digit = type.last.flatMap({ Int(String($0)) }), type.hasPrefix("ImageService") { return digit }
        let profile = service["profile"]?.list.lazy.compactMap(\.text).first ?? ""
        let context = (service["@context"]?.text ?? "") + " " + profile
        if context.contains("image/3") || ["level0", "level1", "level2"].contains(profile) { return 3 }
        if context.contains("image/1") || context.contains("image-api/1") || context.contains("compliance") { return 1 }
        return 2
    }
}
