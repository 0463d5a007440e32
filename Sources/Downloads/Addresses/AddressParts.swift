internal import CLibCurl
internal import PhotoModel

/// Owns libcurl's URL handle: an address taken apart as libcurl does it.
struct AddressParts: ~Copyable {
    private let handle: OpaquePointer

    init(_ text: String, allowing flags: Int32 = CURLU_URLENCODE) throws(Failure) {
        // curl_url returns NULL only when memory has run out, which Swift itself does not survive either.
        guard let handle = curl_url() else { preconditionFailure("no memory for a URL") }
        self.handle = handle
        try write(CURLUPART_URL, text, allowing: CURLU_NON_SUPPORT_SCHEME | flags)
    }

    func read(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// - Parameters:
    ///   - text: nil takes the part away. A whole URL may be relative to the one that there is.
    ///   - flags: libcurl's `CURLU_`.
    mutating func write(_ part: CURLUPart, _ text: String?, allowing flags: Int32 = 0) throws(Failure) {
        let code = curl_url_set(handle, part, text, UInt32(flags))
        guard code == CURLUE_OK else { throw Self.failure(code) }
    }

    /// libcurl's words name the part that is wrong and never quote it.
    private static func failure(_ code: CURLUcode) -> Failure {
        let words = String(cString: curl_url_strerror(code))
        return .malformedAddress(words.prefix(1).lowercased() + words.dropFirst())
    }

    deinit { curl_url_cleanup(handle) }
}
