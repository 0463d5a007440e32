internal import CLibCurl
internal import Foundation
internal import PhotoModel

/// A connection to a store that stays open between requests. libcurl signs the requests (AWS Signature Version 4). Only
/// one thread may use a connection at a time.
///
/// `@unchecked Sendable`: `S3Client` gives a connection to one thread, and takes it back before it gives it to another.
final class S3Connection: @unchecked Sendable {
    struct Response {
        let status: Int
        /// The headers by their names in lower case.
        let headers: [String: String]
        let body: [UInt8]
    }

    private let handle: UnsafeMutableRawPointer
    private let configuration: S3Configuration
    private let address: String
    private let isCancelled: @Sendable () -> Bool
    private var body: [UInt8] = []
    private var headers: [String: String] = [:]

    /// The limit on the size of a response. A listing of 1,000 keys has less than 2 MB.
    private static let maxResponseBytes = 256 << 20

    /// - Parameter address: the URL of the bucket.
    init(
        _ configuration: S3Configuration, address: String, isCancelled: @escaping @Sendable () -> Bool
    ) throws(ObjectStoreError) {
        guard let handle = curl_easy_init() else { throw .connection("out of memory") }
        self.handle = handle
        self.configuration = configuration
        self.address = address
        self.isCancelled = isCancelled
    }

    deinit { curl_easy_cleanup(handle) }

    func send(_ request: SignedRequest) throws(ObjectStoreError) -> Response {
        body = []
        headers = [:]
        curl_easy_reset(handle)
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        func add(_ name: String, _ value: String) { fields = curl_slist_append(fields, "\(name): \(value)") }
        add("x-amz-content-sha256", Digest(of: request.body).hex)
        if let token = configuration.sessionToken { add("x-amz-security-token", token) }
        for (name, value) in request.headers { add(name, value) }
        // The header "Expect" is not removed, because libcurl 7.88 would sign it all the same.
        try setOptions(request)
        curl_easy_setopt_list(handle, CURLOPT_HTTPHEADER, fields)
        // The pointer is valid while curl_easy_perform runs, and libcurl uses it only during that call.
        let context = Unmanaged.passUnretained(self).toOpaque()
        curl_easy_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
        curl_easy_setopt_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            S3Connection.from(context).take(bytes, size * count)
        }
        curl_easy_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
        curl_easy_setopt_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            S3Connection.from(context).takeHeader(bytes, size * count)
        }
        curl_easy_setopt_pointer(handle, CURLOPT_XFERINFODATA, context)
        curl_easy_setopt_progress(handle) { context, _, _, _, _ in
            S3Connection.from(context).isCancelled() ? 1 : 0
        }
        // libcurl reads the body from this buffer, which does not move during the call.
        let code = request.body.withUnsafeBytes { bytes -> CURLcode in
            if request.method != "GET" && request.method != "HEAD" {
                curl_easy_setopt_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count)
                if let base = bytes.baseAddress, !bytes.isEmpty {
                    curl_easy_setopt_pointer(handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: base))
                } else {
                    // Without any body, libcurl would read one from standard input.
                    curl_easy_setopt_string(handle, CURLOPT_COPYPOSTFIELDS, "")
                }
            }
            return curl_easy_perform(handle)
        }
        if code == CURLE_ABORTED_BY_CALLBACK { throw .interrupted }
        guard code == CURLE_OK else { throw .connection(String(cString: curl_easy_strerror(code))) }
        var status = 0
        curl_easy_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return Response(status: status, headers: headers, body: body)
    }

    private func setOptions(_ request: SignedRequest) throws(ObjectStoreError) {
        func check(_ code: CURLcode) throws(ObjectStoreError) {
            if code != CURLE_OK { throw .connection(String(cString: curl_easy_strerror(code))) }
        }
        try check(curl_easy_restrict_to_http(handle))
        try check(curl_easy_setopt_string(handle, CURLOPT_URL, address + request.pathAndQuery))
        // Otherwise libcurl would remove ".." from a key, which would then be another key.
        try check(curl_easy_setopt_long(handle, CURLOPT_PATH_AS_IS, 1))
        try check(curl_easy_setopt_string(handle, CURLOPT_AWS_SIGV4, "aws:amz:\(configuration.region):s3"))
        try check(curl_easy_setopt_string(handle, CURLOPT_USERNAME, configuration.accessKey))
        try check(curl_easy_setopt_string(handle, CURLOPT_PASSWORD, configuration.secretKey))
        if let file = configuration.certificates { try check(curl_easy_setopt_string(handle, CURLOPT_CAINFO, file)) }
        switch request.method {
        case "GET": try check(curl_easy_setopt_long(handle, CURLOPT_HTTPGET, 1))
        case "HEAD": try check(curl_easy_setopt_long(handle, CURLOPT_NOBODY, 1))
        default:
            try check(curl_easy_setopt_long(handle, CURLOPT_POST, 1))
            try check(curl_easy_setopt_string(handle, CURLOPT_CUSTOMREQUEST, request.method))
        }
        try check(curl_easy_setopt_long(handle, CURLOPT_NOSIGNAL, 1))
        try check(curl_easy_setopt_long(handle, CURLOPT_NOPROGRESS, 0))
        // The unit is milliseconds. Bodies are too small for a wait for "100 Continue" to pay off.
        try check(curl_easy_setopt_long(handle, CURLOPT_EXPECT_100_TIMEOUT_MS, 1))
        // The unit is seconds. A request fails if it transfers less than 100 bytes a second for half a minute.
        try check(curl_easy_setopt_long(handle, CURLOPT_CONNECTTIMEOUT, 20))
        try check(curl_easy_setopt_long(handle, CURLOPT_LOW_SPEED_LIMIT, 100))
        try check(curl_easy_setopt_long(handle, CURLOPT_LOW_SPEED_TIME, 30))
        try check(curl_easy_setopt_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)))
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> S3Connection {
        guard let context else { preconditionFailure("libcurl lost the context of a callback") }
        return Unmanaged<S3Connection>.fromOpaque(context).takeUnretainedValue()
    }

    private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, body.count + count <= Self.maxResponseBytes else { return 0 }
        body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        if let colon = line.firstIndex(of: ":") {
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return count
    }
}
