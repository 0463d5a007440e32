package import CLibCurl

/// Owns libcurl's URL handle. Every address is parsed by it, so that the shown, the compared and the requested form of
/// an address follow from the same parts.
package struct CurlURL: ~Copyable {
    private let handle: OpaquePointer

    /// - Parameter flags: flags of libcurl that begin with `CURLU_`.
    package init(_ text: String, allowing flags: Int32 = CURLU_URLENCODE) throws(URLProblem) {
        // curl_url returns NULL only if memory has run out, which Swift itself does not survive either.
        guard let handle = curl_url() else { preconditionFailure("no memory for a URL") }
        self.handle = handle
        try write(CURLUPART_URL, text, allowing: CURLU_NON_SUPPORT_SCHEME | flags)
    }

    package func read(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// - Parameters:
    ///   - text: the new text of the part. A whole URL can be relative to the one in the handle.
    ///   - flags: flags of libcurl that begin with `CURLU_`.
    package mutating func write(_ part: CURLUPart, _ text: String, allowing flags: Int32 = 0) throws(URLProblem) {
        // A C string ends at a null character.
        guard !text.utf8.contains(0) else { throw URLProblem(.controlCharacter, message: "it holds a null character") }
        let code = curl_url_set(handle, part, text, UInt32(flags))
        guard code == CURLUE_OK else { throw URLProblem(code) }
    }

    deinit { curl_url_cleanup(handle) }
}
