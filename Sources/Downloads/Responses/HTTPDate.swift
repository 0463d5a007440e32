internal import CLibCurl

/// The dates of header fields, in the three forms of RFC 9110 §5.6.7.
enum HTTPDate {
    /// - Returns: seconds since 1970; nil for what is no date.
    static func seconds(_ text: String) -> Int64? {
        // libcurl also takes numbers for dates: "0" in Expires is none, and means "expired".
        guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let seconds = Int64(curl_getdate(text, nil))
        return seconds >= 0 ? seconds : nil
    }
}
