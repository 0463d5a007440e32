internal import Addresses
internal import PhotoModel

/// Writes http and https URLs as a browser sends them (RFC 3986; where that leaves a choice, the WHATWG URL standard
/// decides).
enum HTTPAddress {
    /// The bytes that must be encoded in a path and in a query (WHATWG URL, the path and the query percent-encode set).
    private static let reservedInPath = Set(#""<>^`{}|"#.utf8)
    private static let reservedInQuery = Set(#""<>"#.utf8)

    /// The URL with all characters percent-encoded that it must not contain. The host stays as it is written: a name
    /// that is not ASCII is encoded when it is requested.
    static func normalized(_ url: ParsedURL) throws(AddressProblem) -> String {
        // libcurl decodes hosts, and accepts one character that no host can contain.
        guard !url.hasEncodedHost, !url.host.utf8.contains(UInt8(ascii: "|")) else { throw .badHost }
        // libcurl takes these characters for a part of the user, but browsers take them for the end of the host.
        let user = url.userInfo ?? ""
        guard !user.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "\\") }) else { throw .badHost }
        var result = url
        // Browsers read backslashes, which Windows users write, as slashes.
        result.path = PercentEncoding.encoded(url.path.replacing("\\", with: "/"), reserved: reservedInPath)
        result.query = url.query.map { PercentEncoding.encoded($0, reserved: reservedInQuery) }
        result.fragment = url.fragment.map { PercentEncoding.encoded($0, reserved: reservedInQuery) }
        return result.text
    }
}
