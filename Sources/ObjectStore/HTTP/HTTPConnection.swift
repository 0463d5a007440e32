internal import CLibCurl
internal import CLibXML2
internal import Foundation

/// A connection to a server that stays open between requests. Only one thread may use a connection at a time.
///
/// `@unchecked Sendable`: `S3Client` gives a connection to one thread, and takes it back before it gives it to another.
/// `WebIdentity` keeps its connection in one function.
final class HTTPConnection: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    /// The path of a file with certificates of authorities; nil for those of the system.
    private let certificates: String?
    private let isCancelled: @Sendable () -> Bool
    private var transfer = Transfer(HTTPRequest(method: "GET", url: ""), .memory)

    /// The progress of a request: the bytes that were sent and received so far.
    private struct Transfer {
        let request: HTTPRequest
        let sink: ResponseSink
        /// The number of bytes of the request's body that were sent.
        var sent: Int64 = 0
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        /// The number of bytes that were written to a file.
        var written: Int64 = 0
        /// Whether all bytes have arrived that `ResponseSink.prefix` asks for.
        var hasPrefix = false
        var failure: ObjectStoreError?

        init(_ request: HTTPRequest, _ sink: ResponseSink) {
            self.request = request
            self.sink = sink
        }
    }

    init(certificates: String?, isCancelled: @escaping @Sendable () -> Bool) throws(ObjectStoreError) {
        Self.initialize
        guard let handle = curl_easy_init() else { throw .connection("out of memory") }
        self.handle = handle
        self.certificates = certificates
        self.isCancelled = isCancelled
    }

    /// libcurl and libxml2 must be initialised once, before threads use them.
    private static let initialize: Void = {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        xmlInitParser()
    }()

    deinit { curl_easy_cleanup(handle) }

    /// Sends a request, and receives the whole response.
    /// - Throws: `ObjectStoreError.connection` if the response is not complete, `file` if a file can't be read or
    ///   written.
    func send(_ request: HTTPRequest, into sink: ResponseSink = .memory) throws(ObjectStoreError) -> HTTPResponse {
        transfer = Transfer(request, sink)
        defer { transfer = Transfer(HTTPRequest(method: "GET", url: ""), .memory) }
        if case .file(let file) = sink { try file.truncate() }
        curl_easy_reset(handle)
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        for (name, value) in request.headers { fields = curl_slist_append(fields, "\(name): \(value)") }
        // Without a value, libcurl leaves a header out. To wait for "100 Continue" would only take time.
        fields = curl_slist_append(fields, "Expect:")
        try setOptions(request)
        curl_easy_setopt_list(handle, CURLOPT_HTTPHEADER, fields)
        setCallbacks()
        let code = curl_easy_perform(handle)
        if let failure = transfer.failure { throw failure }
        if code == CURLE_ABORTED_BY_CALLBACK { throw .interrupted }
        guard code == CURLE_OK || transfer.hasPrefix else {
            throw .connection(String(cString: curl_easy_strerror(code)))
        }
        return try response()
    }

    /// - Throws: `ObjectStoreError.connection` if the content is not as long as the server has said.
    private func response() throws(ObjectStoreError) -> HTTPResponse {
        let time = transfer.headers["date"].map { curl_getdate($0, nil) } ?? -1
        let response = HTTPResponse(
            status: status, headers: transfer.headers, body: transfer.body,
            secondsAhead: time < 0 ? nil : Int(transfer.request.date.timeIntervalSince1970) - time)
        let received: Int64? =
            switch transfer.sink {
            case .file: transfer.written
            case .memory: Int64(transfer.body.count)
            case .prefix: nil
            }
        if let received, response.isSuccess, transfer.request.method != "HEAD", status != 204 {
            let isChunked = response.headers["transfer-encoding"]?.lowercased() == "chunked"
            // Otherwise the end of the connection would be the end of the object.
            guard isChunked || response.headers["content-length"].flatMap({ Int64($0) }) == received else {
                throw .connection("the answer was not complete")
            }
        }
        return response
    }

    private var status: Int {
        var status = 0
        curl_easy_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    private func setOptions(_ request: HTTPRequest) throws(ObjectStoreError) {
        func check(_ code: CURLcode) throws(ObjectStoreError) {
            if code != CURLE_OK { throw .connection(String(cString: curl_easy_strerror(code))) }
        }
        try check(curl_easy_restrict_to_http(handle))
        try check(curl_easy_setopt_string(handle, CURLOPT_URL, request.url))
        // Otherwise libcurl would remove ".." from a key, which would then be another key.
        try check(curl_easy_setopt_long(handle, CURLOPT_PATH_AS_IS, 1))
        if let certificates { try check(curl_easy_setopt_string(handle, CURLOPT_CAINFO, certificates)) }
        switch request.method {
        case "GET": try check(curl_easy_setopt_long(handle, CURLOPT_HTTPGET, 1))
        case "HEAD": try check(curl_easy_setopt_long(handle, CURLOPT_NOBODY, 1))
        case "DELETE": try check(curl_easy_setopt_string(handle, CURLOPT_CUSTOMREQUEST, request.method))
        default:
            try check(curl_easy_setopt_long(handle, CURLOPT_UPLOAD, 1))
            try check(curl_easy_setopt_string(handle, CURLOPT_CUSTOMREQUEST, request.method))
            try check(curl_easy_setopt_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.count)))
        }
        try check(curl_easy_setopt_long(handle, CURLOPT_NOSIGNAL, 1))
        // Otherwise a cancelled transfer would wait for the name server.
        try check(curl_easy_leave_resolver_behind(handle))
        try check(curl_easy_setopt_long(handle, CURLOPT_NOPROGRESS, 0))
        // The unit is seconds. A request fails if it transfers less than 100 bytes a second for half a minute.
        try check(curl_easy_setopt_long(handle, CURLOPT_CONNECTTIMEOUT, 20))
        try check(curl_easy_setopt_long(handle, CURLOPT_LOW_SPEED_LIMIT, 100))
        try check(curl_easy_setopt_long(handle, CURLOPT_LOW_SPEED_TIME, 30))
        try check(curl_easy_setopt_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)))
    }

    private func setCallbacks() {
        // The pointer is valid while curl_easy_perform runs, and libcurl uses it only during that call.
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
        ] { curl_easy_setopt_pointer(handle, option, context) }
        curl_easy_setopt_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            HTTPConnection.from(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        curl_easy_setopt_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            HTTPConnection.from(context).takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        curl_easy_setopt_progress(handle) { context, _, _, _, _ in
            HTTPConnection.from(context).isCancelled() ? 1 : 0
        }
        curl_easy_setopt_read(handle) { buffer, size, count, context in
            HTTPConnection.from(context).give(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        // libcurl sends a body again if a connection that was open turns out to be dead.
        curl_easy_setopt_seek(handle) { context, offset, origin in
            guard origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
            HTTPConnection.from(context).transfer.sent = Int64(offset)
            return CURL_SEEKFUNC_OK
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> HTTPConnection {
        guard let context else { preconditionFailure("libcurl lost the context of a callback") }
        return Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
    }

    /// Gives libcurl the next bytes of the request's body.
    private func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do throws(ObjectStoreError) {
            let count = try transfer.request.body.read(at: transfer.sent, into: buffer)
            transfer.sent += Int64(count)
            return count
        } catch {
            transfer.failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Takes bytes of the response from libcurl.
    /// - Returns: their number, or another one if the transfer must end.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch transfer.sink {
        case .file(let file) where (200..<300).contains(status):
            do throws(ObjectStoreError) {
                try file.write(bytes)
                transfer.written += Int64(bytes.count)
            } catch {
                transfer.failure = error
                return 0
            }
        case .prefix(let count) where (200..<300).contains(status):
            transfer.body.append(contentsOf: bytes.prefix(count - transfer.body.count))
            transfer.hasPrefix = transfer.body.count == count
            return transfer.hasPrefix ? 0 : bytes.count
        case .memory(let limit):
            guard transfer.body.count + bytes.count <= limit else {
                transfer.failure = .unexpectedResponse("one of at most \(limit >> 20) MB")
                return 0
            }
            transfer.body.append(contentsOf: bytes)
        default:
            // The rest of a long message of an error would not be shown.
            transfer.body.append(contentsOf: bytes.prefix(max(0, 1 << 16 - transfer.body.count)))
        }
        return bytes.count
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // The headers so far were those of an interim response.
            transfer.headers = [:]
        } else if let colon = line.firstIndex(of: ":") {
            transfer.headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return bytes.count
    }
}
