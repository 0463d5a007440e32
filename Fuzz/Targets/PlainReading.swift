import CLibCurl

/// How libcurl itself reads an answer: one request with almost no options, which follows no redirect.
enum PlainReading {
    /// The status of the response; 0 if there is no response.
    static func status(of url: String) -> Int {
        guard let handle = curl_easy_init() else { fatalError("libcurl has no memory") }
        defer { curl_easy_cleanup(handle) }
        let ignored: curl_write_callback = { _, size, count, _ in size * count }
        let codes = [
            curl_easy_setopt_string(handle, CURLOPT_URL, url),
            curl_easy_setopt_string(handle, CURLOPT_PROXY, ""),
            curl_easy_setopt_long(handle, CURLOPT_NOSIGNAL, 1),
            curl_easy_setopt_long(handle, CURLOPT_FOLLOWLOCATION, 0),
            curl_easy_setopt_long(handle, CURLOPT_TIMEOUT_MS, 5000),
            curl_easy_setopt_write(handle, CURLOPT_WRITEFUNCTION, ignored),
        ]
        precondition(codes.allSatisfy { $0 == CURLE_OK }, "libcurl rejected an option")
        curl_easy_perform(handle)
        var status = 0
        curl_easy_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }
}
