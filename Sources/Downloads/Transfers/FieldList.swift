internal import CLibCurl

/// Owns a list of header lines for libcurl, which keeps a pointer to it: the list has to be taken away from the easy
/// handle before it goes.
struct FieldList: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    init() { raw = nil }

    init(_ lines: [String]) throws(DownloadsError) {
        self.init()
        for line in lines {
            guard let longer = curl_slist_append(raw, line) else { throw DownloadsError(CURLE_OUT_OF_MEMORY) }
            raw = longer
        }
    }

    deinit { curl_slist_free_all(raw) }
}
