internal import PhotoModel

/// Checks http and https URLs and writes them as a browser sends them (RFC 3986; the choices where that is silent are
/// those of the WHATWG URL standard).
enum HTTPAddress {
    /// Neither a path nor a query can have these (WHATWG URL, the path and the query percent-encode set).
    private static let reservedInPath = Set(#""<>^`{}|"#.utf8)
    private static let reservedInQuery = Set(#""<>"#.utf8)

    /// The URL with what it may not have as it is percent-encoded. The host is left as it is written: names that are
    /// not ASCII are libcurl's to encode.
    static func normalized(_ reference: URLReference) throws(AddressProblem) -> String {
        let parts = [reference.authority, reference.path, reference.query, reference.fragment].compactMap { $0 }
        guard !parts.contains(where: { $0.contains { $0 < 0x20 || $0 == 0x7F } }) else { throw .controlCharacter }
        guard let authority = reference.authority else { throw .noHost }
        var result = reference
        result.scheme = Array((reference.lowercasedScheme ?? "").utf8)[...]
        result.authority = try checked(authority)
        // Browsers read backslashes, which Windows users write, as slashes.
        let path = reference.path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        let slash: [UInt8] = path.isEmpty ? [UInt8(ascii: "/")] : []
        result.path = (slash + PercentCoding.encoded(path[...], reserved: reservedInPath))[...]
        result.query = reference.query.map { PercentCoding.encoded($0, reserved: reservedInQuery)[...] }
        result.fragment = reference.fragment.map { PercentCoding.encoded($0, reserved: reservedInQuery)[...] }
        return result.text
    }

    private static func checked(_ authority: URLReference.Part) throws(AddressProblem) -> URLReference.Part {
        let host = URLReference.hostAndPort(of: authority)
        let user = authority[..<host.startIndex]
        guard !user.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "\\") }) else { throw .badHost }
        let name: URLReference.Part
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")), IPv6Text.isValid(host[..<end].dropFirst()) else {
                throw .badIPv6
            }
            name = host[...end]
        } else {
            name = host.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty else { throw .noHost }
            guard !name.contains(where: { $0 <= 0x20 || #""<>[]\^`{|}%"#.utf8.contains($0) }) else { throw .badHost }
        }
        return try user + name + port(host[name.endIndex...])
    }

    /// The port with its colon; nothing where there is a colon alone (RFC 3986 §3.2.3).
    private static func port(_ text: URLReference.Part) throws(AddressProblem) -> URLReference.Part {
        guard let colon = text.first else { return [] }
        let digits = text.dropFirst()
        guard colon == UInt8(ascii: ":") else { throw .badIPv6 }
        guard !digits.isEmpty else { return [] }
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port) else {
            throw .badPort
        }
        return [colon] + Array(String(port).utf8)
    }
}
