internal import Addresses
internal import PhotoModel

/// Writes http and https URLs as a browser sends them (RFC 3986; the choices where that is silent are those of the
/// WHATWG URL standard).
enum HTTPAddress {
    /// Neither a path nor a query can have these (WHATWG URL, the path and the query percent-encode set).
    private static let reservedInPath = Set(#""<>^`{}|"#.utf8)
    private static let reservedInQuery = Set(#""<>"#.utf8)

    /// The URL with what it may not have as it is percent-encoded. The host is left as it is written: names that are
    /// not ASCII are encoded when it is asked.
    static func normalized(_ url: ParsedURL) throws(AddressProblem) -> String {
        // libcurl decodes hosts, and lets one character through that none can have.
        guard !url.hasEncodedHost, !url.host.utf8.contains(UInt8(ascii: "|")) else { throw .badHost }
        // libcurl takes them for a part of the user, and browsers for the end of the host.
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
