internal import CLibCurl
internal import Foundation

/// Owns one of libcurl's easy handles, which serves one transfer after another. Used on the transfer thread only.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The transfer that the handle works for; nil while it is idle.
    private(set) var transfer: Transfer?
    private var requestHeaders: UnsafeMutablePointer<curl_slist>?
    /// Where libcurl writes what went wrong. Lives as long as the handle, which keeps the pointer.
    private let errorText: UnsafeMutablePointer<CChar>

    init(limits: TransferLimits, userAgent: String) throws(DownloadsError) {
        guard let raw = curl_easy_init() else { throw DownloadsError(CURLE_OUT_OF_MEMORY) }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try setLimits(limits)
        try setManners(userAgent: userAgent)
        try setCallbacks()
    }

    private func setLimits(_ limits: TransferLimits) throws(DownloadsError) {
        try check(curl_easy_restrict_to_http(raw))
        try set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout.wholeMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, limits.timeout.wholeMilliseconds)
        try set(CURLOPT_FOLLOWLOCATION, 1)
        // -1 would follow without end.
        try set(CURLOPT_MAXREDIRS, max(0, limits.maxRedirects))
    }

    private func setManners(userAgent: String) throws(DownloadsError) {
        try check(curl_easy_setopt_string(raw, CURLOPT_USERAGENT, userAgent))
        // What a server compresses against our wish is unpacked by libcurl, piece by piece, so that the cap on bytes holds.
        try check(curl_easy_setopt_string(raw, CURLOPT_ACCEPT_ENCODING, ""))
        // Signals belong to the program; without this libcurl uses SIGALRM.
        try set(CURLOPT_NOSIGNAL, 1)
        try check(curl_easy_leave_resolver_behind(raw))
        // What a proxy says before the tunnel stands is not the server's answer.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Photos are large: fewer, larger reads than with the default of 16 KB. From 64 KB on, glibc tidies up its heap
        // each time the buffer is freed, which is after each transfer.
        try set(CURLOPT_BUFFERSIZE, 32 * 1024)
    }

    private func setCallbacks() throws(DownloadsError) {
        // Unretained: the handle outlives its callbacks, as libcurl calls them only while a transfer runs on it, and
        // deinit ends it.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(curl_easy_setopt_pointer(raw, CURLOPT_ERRORBUFFER, errorText))
        try check(curl_easy_setopt_pointer(raw, CURLOPT_WRITEDATA, context))
        try check(curl_easy_setopt_pointer(raw, CURLOPT_HEADERDATA, context))
        try check(
            curl_easy_setopt_write(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                EasyHandle.transfer(in: context)?
                    .received(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) == true
                    ? size * count : 0
            })
        try check(
            curl_easy_setopt_write(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                EasyHandle.transfer(in: context)?
                    .received(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count)) == true
                    ? size * count : 0
            })
        try setGuards(context)
    }

    /// Where each socket leads is looked at twice: before a new one is opened, and before a request goes out, which may
    /// be over a connection that was opened for somebody who might.
    private func setGuards(_ context: UnsafeMutableRawPointer) throws(DownloadsError) {
        try check(curl_easy_setopt_pointer(raw, CURLOPT_OPENSOCKETDATA, context))
        try check(curl_easy_setopt_pointer(raw, CURLOPT_PREREQDATA, context))
        try check(
            curl_easy_setopt_opensocket(raw, CURLOPT_OPENSOCKETFUNCTION) { context, _, address in
                guard let handle = EasyHandle.handle(in: context), let address else { return CURL_SOCKET_BAD }
                return handle.openSocket(address)
            })
        try check(
            curl_easy_setopt_prereq(raw, CURLOPT_PREREQFUNCTION) { context, address, _, port, _ in
                guard let handle = EasyHandle.handle(in: context), let address else { return CURL_PREREQFUNC_ABORT }
                return handle.mayAsk(String(cString: address), port: Int(port))
                    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
    }

    private func openSocket(_ wanted: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let end = curl_sockaddr_address(wanted).flatMap({ NetworkAddress.read($0) }),
            transfer?.mayConnect(to: end.address, port: end.port, for: lastURL) == true
        else {
            return CURL_SOCKET_BAD
        }
        let (family, type, number) = (wanted.pointee.family, wanted.pointee.socktype, wanted.pointee.protocol)
        let descriptor = socket(family, type, number)
        // Not for the programs that this one may start. Should it fail, the socket is no worse a socket.
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    }

    private func mayAsk(_ address: String, port: Int) -> Bool {
        transfer?.connected(to: address, port: port, for: lastURL) == true
    }

    /// What is being asked, or was asked last: after redirects, no longer the address that was given.
    private var lastURL: String {
        var url: UnsafeMutablePointer<CChar>?
        // It fails only for an unknown question, and then leaves the value as it was.
        curl_easy_getinfo_string(raw, CURLINFO_EFFECTIVE_URL, &url)
        return url.map { String(cString: $0) } ?? ""
    }

    private static func handle(in context: UnsafeMutableRawPointer?) -> EasyHandle? {
        context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func transfer(in context: UnsafeMutableRawPointer?) -> Transfer? { handle(in: context)?.transfer }

    func begin(_ transfer: Transfer) throws(DownloadsError) {
        self.transfer = transfer
        errorText.pointee = 0
        let conditions = transfer.asked?.validators.requestHeaders ?? []
        // Pictures are compressed already; and a part of a compressed body is not a part of the picture.
        for header in ["Accept-Encoding: identity"] + conditions + (transfer.partial?.requestHeaders ?? []) {
            guard let longer = curl_slist_append(requestHeaders, header) else {
                throw DownloadsError(CURLE_OUT_OF_MEMORY)
            }
            requestHeaders = longer
        }
        try check(curl_easy_setopt_list(raw, CURLOPT_HTTPHEADER, requestHeaders))
        try check(curl_easy_setopt_string(raw, CURLOPT_URL, transfer.request.address.url))
    }

    /// What libcurl says of the transfer that has just ended.
    func report(_ code: CURLcode) -> TransferReport {
        var (connections, proxyStatus, microseconds) = (0, 0, curl_off_t(0))
        // These fail only for an unknown question, and then leave the value as it was.
        curl_easy_getinfo_long(raw, CURLINFO_NUM_CONNECTS, &connections)
        curl_easy_getinfo_long(raw, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
        curl_easy_getinfo_offset(raw, CURLINFO_TOTAL_TIME_T, &microseconds)
        return TransferReport(
            code: code, lastURL: lastURL, errorText: String(cString: errorText),
            proxyStatus: proxyStatus, connections: connections, duration: .microseconds(microseconds))
    }

    /// Makes the handle idle; it must be out of the multi handle by now.
    func end() {
        transfer = nil
        // libcurl must not keep a pointer to a list that is gone; setting NULL cannot fail.
        curl_easy_setopt_list(raw, CURLOPT_HTTPHEADER, nil)
        curl_slist_free_all(requestHeaders)
        requestHeaders = nil
    }

    private func set(_ option: CURLoption, _ value: Int) throws(DownloadsError) {
        try check(curl_easy_setopt_long(raw, option, value))
    }

    private func check(_ code: CURLcode) throws(DownloadsError) {
        guard code == CURLE_OK else { throw DownloadsError(code) }
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(requestHeaders)
        errorText.deallocate()
    }
}
