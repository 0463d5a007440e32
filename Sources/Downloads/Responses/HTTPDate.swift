internal import CLibCurl

/// The dates of header fields, in the three forms of RFC 9110 §5.6.7.
enum HTTPDate {
    /// - Returns: the date in seconds since 1970; nil if the text is not a date from 1970 on.
    static func seconds(_ text: String) -> Int64? {
        // libcurl also accepts plain numbers as dates. The "0" that some servers send in `Expires` is not a date, and
        // means "already expired".
        guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let seconds = Int64(curl_getdate(text, nil))
        return seconds >= 0 ? seconds : nil
    }
}
