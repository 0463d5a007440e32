internal import CLibCurl
internal import PhotoModel

/// Where a redirect leads, found by libcurl's parser as libcurl itself is about to find it.
struct RedirectTarget {
    let isSecure: Bool
    /// The server wrote a user down. One that libcurl took from a netrc file for the address before does not count.
    let namesUser: Bool

    /// - Parameters:
    ///   - location: the field of the answer.
    ///   - url: what was asked.
    /// - Returns: nil for what libcurl cannot follow either.
    init?(_ location: String, from url: String) {
        do throws(Failure) {
            var parts = try AddressParts(url)
            try parts.write(CURLUPART_USER, nil)
            try parts.write(CURLUPART_PASSWORD, nil)
            try parts.write(CURLUPART_URL, location, allowing: CURLU_URLENCODE | CURLU_ALLOW_SPACE)
            isSecure = parts.read(CURLUPART_SCHEME)?.lowercased() == "https"
            namesUser = parts.read(CURLUPART_USER) != nil || parts.read(CURLUPART_PASSWORD) != nil
        } catch {
            return nil
        }
    }
}
