internal import CLibCurl
internal import Foundation

/// A check of a monitoring service that follows the conventions of Healthchecks: a request to URL/start when a build
/// begins, and one to URL/<exit code> when it has ended.
package struct HealthPing: Sendable {
    private let url: String
    private let userAgent: String
    private let certificateFile: String?
    private let certificateFolders: String?

    /// The service keeps no more of a body than this, in bytes.
    private static let bodyLimit = 100_000
    private static let connectTimeout = Duration.seconds(3)

    /// libcurl must be initialised once, before threads use it.
    private static let initialize: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// - Parameters:
    ///   - url: an http or https address without fragment.
    ///   - certificateFile: the path of a file of trusted certificates; nil for those of the system.
    ///   - certificateFolders: the paths of folders of trusted certificates, separated by colons.
    package init(_ url: String, userAgent: String, certificateFile: String?, certificateFolders: String?) {
        _ = Self.initialize
        self.url = url
        self.userAgent = userAgent
        self.certificateFile = certificateFile
        self.certificateFolders = certificateFolders
    }

    /// The host of the address. The rest of it is a secret, because whoever knows it can report in the user's name.
    package var host: String { URLComponents(string: url)?.host ?? "the service" }

    /// Sends a ping, and waits for the response.
    /// - Parameters:
    ///   - event: what is appended to the path: "start", or an exit code.
    ///   - limit: how long everything may take.
    /// - Returns: why the ping failed, for people; nil if it arrived.
    package func send(
        _ event: String, body: String, limit: Duration, isCancelled: @escaping () -> Bool = { false }
    ) -> String? {
        guard let handle = curl_easy_init() else { return "out of memory" }
        defer { curl_easy_cleanup(handle) }
        let bytes = Self.shortened(body)
        // Without this, libcurl would ask for permission to send a large body, and wait a second for it.
        let fields = curl_slist_append(curl_slist_append(nil, "Expect:"), "Content-Type: text/plain; charset=utf-8")
        defer { curl_slist_free_all(fields) }
        let cancellation = Cancellation(isCancelled)
        var code = curl_easy_restrict_to_http(handle)
        func set(_ result: CURLcode) { if code == CURLE_OK { code = result } }
        set(curl_easy_leave_resolver_behind(handle))
        set(curl_easy_setopt_string(handle, CURLOPT_URL, address(of: event)))
        set(curl_easy_setopt_string(handle, CURLOPT_USERAGENT, userAgent))
        if let certificateFile { set(curl_easy_setopt_string(handle, CURLOPT_CAINFO, certificateFile)) }
        if let certificateFolders { set(curl_easy_setopt_string(handle, CURLOPT_CAPATH, certificateFolders)) }
        set(curl_easy_setopt_list(handle, CURLOPT_HTTPHEADER, fields))
        set(curl_easy_setopt_long(handle, CURLOPT_NOSIGNAL, 1))
        let connectLimit = min(limit, Self.connectTimeout)
        set(curl_easy_setopt_long(handle, CURLOPT_TIMEOUT_MS, Self.milliseconds(limit)))
        set(curl_easy_setopt_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(connectLimit)))
        set(curl_easy_setopt_long(handle, CURLOPT_POST, 1))
        set(curl_easy_setopt_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count))
        // The body of the answer is dropped. Without this, libcurl would write it to standard output.
        set(curl_easy_setopt_write(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count })
        set(curl_easy_setopt_long(handle, CURLOPT_NOPROGRESS, 0))
        // The pointers are valid while curl_easy_perform runs, and libcurl uses them only during that call.
        set(curl_easy_setopt_pointer(handle, CURLOPT_XFERINFODATA, Unmanaged.passUnretained(cancellation).toOpaque()))
        set(
            curl_easy_setopt_progress(handle) { context, _, _, _, _ in
                guard let context else { return 0 }
                return Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
            })
        guard code == CURLE_OK else { return String(cString: curl_easy_strerror(code)) }
        // libcurl reads the body from this buffer, which ends with a zero byte and is never empty.
        code = withExtendedLifetime(cancellation) {
            (bytes + [0]).withUnsafeBytes { buffer in
                let body = UnsafeMutableRawPointer(mutating: buffer.baseAddress)
                let result = curl_easy_setopt_pointer(handle, CURLOPT_POSTFIELDS, body)
                return result == CURLE_OK ? curl_easy_perform(handle) : result
            }
        }
        guard code == CURLE_OK else { return String(cString: curl_easy_strerror(code)) }
        var status = 0
        curl_easy_getinfo_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return (200..<300).contains(status) ? nil : "it answered with status \(status)"
    }

    /// The address with a last part of the path. A query stays at the end.
    private func address(of event: String) -> String {
        let query = url.firstIndex(of: "?") ?? url.endIndex
        let path = url[..<query]
        return (path.hasSuffix("/") ? path : path + "/") + event + url[query...]
    }

    /// The body as UTF-8, cut between two characters.
    private static func shortened(_ body: String) -> [UInt8] {
        let bytes = Array(body.utf8)
        guard bytes.count > bodyLimit else { return bytes }
        var end = bodyLimit
        // A byte 10xxxxxx continues a character.
        while bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }

    private static func milliseconds(_ time: Duration) -> Int { max(1, Int(time / .milliseconds(1))) }
}

/// A closure in an object, to which libcurl can have a pointer.
private final class Cancellation {
    let isCancelled: () -> Bool

    init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
}
