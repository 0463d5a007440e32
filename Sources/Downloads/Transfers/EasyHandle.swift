internal import CLibCurl
internal import Foundation

/// Owns one of libcurl's easy handles. Used on the transfer thread only.
///
/// Each transfer has a handle of its own. If a response begins with a folded line, libcurl before 8.1.1 appends it to
/// the last header field of the previous transfer on the handle, which has been freed (curl issue 11101). Connections,
/// resolved names and TLS sessions outlive the handle in `MultiHandle`.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    let transfer: Transfer
    private let client: ClientProfile
    private let watch: TransferWatchdog
    private var fields = HeaderList()
    /// The limit on the rate of all transfers; nil if there is none.
    private let budget: ByteBudget?
    /// Whether the transfer waits for the budget. libcurl has a piece of the body then, and reads no more.
    var isPaused: Bool { pausedSince != nil }
    private(set) var pausedSince: SuspendingClock.Instant?
    /// The buffer for libcurl's error message. It lives as long as the handle, which keeps a pointer to it.
    private let errorText: UnsafeMutablePointer<CChar>

    init(
        _ transfer: Transfer, limits: TransferLimits, client: ClientProfile, watch: TransferWatchdog,
        budget: ByteBudget? = nil
    ) throws(DownloadsError) {
        guard let raw = curl_easy_init() else { throw DownloadsError(CURLE_OUT_OF_MEMORY) }
        self.raw = raw
        self.transfer = transfer
        self.client = client
        self.watch = watch
        self.budget = budget
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try setLimits(limits)
        try setProtocolOptions()
        try setTrust()
        try setCookies()
        try setProxyDefaults()
        try setCallbacks()
        try setFields()
        try check(curl_easy_setopt_string(raw, CURLOPT_URL, transfer.request.target.url))
    }

    private func setLimits(_ limits: TransferLimits) throws(DownloadsError) {
        try check(curl_easy_restrict_to_http(raw))
        try set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout.wholeMilliseconds)
        // libcurl follows no redirects: each is a request of its own (`RedirectChain`).
        try set(CURLOPT_FOLLOWLOCATION, 0)
    }

    private func setProtocolOptions() throws(DownloadsError) {
        try check(curl_easy_setopt_string(raw, CURLOPT_USERAGENT, client.userAgent))
        try setEncoding()
        // Without this option, libcurl uses SIGALRM. Signals belong to the program.
        try set(CURLOPT_NOSIGNAL, 1)
        try check(curl_easy_leave_resolver_behind(raw))
        // The header of a proxy's answer to CONNECT is not that of the server's answer.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Photos are large, so larger reads than the default of 16 KB save calls. With 64 KB, glibc consolidated its
        // heap each time the buffer was freed, which is after each transfer; tcmalloc was not tried.
        try set(CURLOPT_BUFFERSIZE, 32 * 1024)
    }

    /// Makes libcurl keep the cookies of this handle in memory, and gives it those of the redirects before. libcurl
    /// decides by domain, path and scheme which of them are sent (RFC 6265 §5.4).
    private func setCookies() throws(DownloadsError) {
        // Cookies that the settings give for the host are sent as they are, and no others beside them.
        let lines = client.headers.isEmpty ? [] : client.headers.lines(for: transfer.request.target)
        guard !lines.contains(where: { $0.lowercased().hasPrefix("cookie:") }) else { return }
        try check(curl_easy_setopt_string(raw, CURLOPT_COOKIEFILE, ""))
        for line in transfer.request.redirects?.cookies ?? [] {
            try check(curl_easy_setopt_string(raw, CURLOPT_COOKIELIST, line))
        }
    }

    /// All cookies that this handle has, a line each in the format of Netscape's cookie file.
    var cookies: [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        guard curl_easy_getinfo_list(raw, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
        defer { curl_slist_free_all(list) }
        var lines: [String] = []
        var next = list
        while let entry = next {
            if let data = entry.pointee.data { lines.append(String(cString: data)) }
            next = entry.pointee.next
        }
        return lines
    }

    /// Offers compression if the options allow it. If a server compresses a body anyway, libcurl decompresses it piece
    /// by piece, so that the limit on bytes holds.
    private func setEncoding() throws(DownloadsError) {
        let offered = transfer.request.options.allowsCompression ? "" : "identity"
        try check(curl_easy_setopt_string(raw, CURLOPT_ACCEPT_ENCODING, offered))
        if transfer.request.skipsContentDecoding { try set(CURLOPT_HTTP_CONTENT_DECODING, 0) }
    }

    private func setTrust() throws(DownloadsError) {
        if let netrc = client.netrc {
            try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
            try check(curl_easy_setopt_string(raw, CURLOPT_NETRC_FILE, netrc))
        } else {
            // No URL that is requested contains a user, as `RemoteAddress` removes it.
            try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        }
        if let file = client.certificates.file { try check(curl_easy_setopt_string(raw, CURLOPT_CAINFO, file)) }
        if let folders = client.certificates.folders {
            try check(curl_easy_setopt_string(raw, CURLOPT_CAPATH, folders))
        }
    }

    /// Sets the proxy. An empty proxy and an empty list of exceptions keep libcurl from reading the environment.
    private func setProxyDefaults() throws(DownloadsError) {
        let isSecure = transfer.request.target.isSecure
        try check(curl_easy_setopt_string(raw, CURLOPT_PROXY, client.proxies.proxy(isSecure: isSecure)?.url ?? ""))
        try check(curl_easy_setopt_string(raw, CURLOPT_NOPROXY, client.proxies.exceptions))
        // If TLS can negotiate HTTP/2, other transfers wait to see whether one connection is enough for all. Without
        // TLS it never is, and they would wait for the first response in vain.
        if isSecure { try set(CURLOPT_PIPEWAIT, 1) }
        guard client.proxies.isSecure else { return }
        if let file = client.certificates.file { try check(curl_easy_setopt_string(raw, CURLOPT_PROXY_CAINFO, file)) }
        if let folders = client.certificates.folders {
            try check(curl_easy_setopt_string(raw, CURLOPT_PROXY_CAPATH, folders))
        }
    }

    private func setCallbacks() throws(DownloadsError) {
        // Unretained: libcurl calls these callbacks only while a transfer runs on the handle, and deinit ends the
        // transfer.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(curl_easy_setopt_pointer(raw, CURLOPT_ERRORBUFFER, errorText))
        try check(curl_easy_setopt_pointer(raw, CURLOPT_WRITEDATA, context))
        try check(curl_easy_setopt_pointer(raw, CURLOPT_HEADERDATA, context))
        try check(
            curl_easy_setopt_write(raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                EasyHandle.handle(in: context)?
                    .received(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            })
        try check(
            curl_easy_setopt_write(raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                EasyHandle.handle(in: context)?
                    .received(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count)) == true
                    ? size * count : 0
            })
        try setGuards(context)
        try setSockets()
    }

    /// Sets the callbacks that check addresses. Each address is checked twice: before a new socket is opened, and
    /// before a request is sent, because a request can reuse a connection that was opened under another policy.
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
                return handle.mayRequest(String(cString: address), port: Int(port))
                    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
    }

    /// Sets the callback that closes sockets. Its context is not this handle, because a connection outlives the handle
    /// that it was opened for.
    private func setSockets() throws(DownloadsError) {
        // Unretained: the transfer loop keeps the watchdog until the multi handle has closed all connections.
        let sockets = Unmanaged.passUnretained(watch.sockets).toOpaque()
        try check(curl_easy_setopt_pointer(raw, CURLOPT_CLOSESOCKETDATA, sockets))
        try check(
            curl_easy_setopt_closesocket(raw, CURLOPT_CLOSESOCKETFUNCTION) { sockets, descriptor in
                guard let sockets else { return -1 }
                return Unmanaged<OpenSockets>.fromOpaque(sockets).takeUnretainedValue().close(descriptor)
            })
    }

    private func openSocket(_ wanted: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let end = curl_sockaddr_address(wanted).flatMap({ IPAddress.read($0) }),
            transfer.mayConnect(to: end.address, port: end.port)
        else {
            return CURL_SOCKET_BAD
        }
        return watch.sockets.open(
            family: wanted.pointee.family, type: wanted.pointee.socktype, number: wanted.pointee.protocol)
    }

    /// - Returns: the number of bytes for libcurl, which aborts the transfer if there are fewer than it has brought.
    private func received(body: UnsafeRawBufferPointer) -> Int {
        if let budget {
            guard !budget.isOverdrawn(now: .now) else {
                pausedSince = .now
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            budget.spend(body.count)
        }
        return transfer.received(body: body) ? body.count : 0
    }

    /// Continues a paused transfer. libcurl brings the piece of the body again, and perhaps has to wait again.
    /// - Returns: the result of the transfer if it ends with this piece, as it does if the piece is refused.
    func resume() -> CURLcode? {
        pausedSince = nil
        let code = curl_easy_pause(raw, CURLPAUSE_CONT)
        return code == CURLE_OK ? nil : code
    }

    private func received(headerLine line: UnsafeRawBufferPointer) -> Bool {
        transfer.received(headerLine: line) { status }
    }

    /// The status of the response that libcurl is reading.
    private var status: Int {
        var status = 0
        // `curl_easy_getinfo` fails only for an unknown option, and then leaves the value unchanged.
        curl_easy_getinfo_long(raw, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    private func mayRequest(_ address: String, port: Int) -> Bool { transfer.connected(to: address, port: port) }

    /// Sets the header fields of the transfer, and those that are configured for its host.
    private func setFields() throws(DownloadsError) {
        try transfer.addFields(to: &fields)
        if !client.headers.isEmpty {
            for line in client.headers.lines(for: transfer.request.target) { try fields.append(line) }
        }
        try check(curl_easy_setopt_list(raw, CURLOPT_HTTPHEADER, fields.raw))
    }

    private static func handle(in context: UnsafeMutableRawPointer?) -> EasyHandle? {
        guard let context else { return nil }
        let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
        handle.watch.recordProgress()
        return handle
    }

    /// libcurl's report of the transfer that has just ended.
    func report(_ code: CURLcode) -> TransferReport {
        var (connections, proxyStatus, version) = (0, 0, 0)
        var (sent, answered): (curl_off_t, curl_off_t) = (0, 0)
        // `curl_easy_getinfo` fails only for an unknown option, and then leaves the value unchanged.
        curl_easy_getinfo_long(raw, CURLINFO_NUM_CONNECTS, &connections)
        curl_easy_getinfo_long(raw, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
        curl_easy_getinfo_long(raw, CURLINFO_HTTP_VERSION, &version)
        curl_easy_getinfo_offset(raw, CURLINFO_PRETRANSFER_TIME_T, &sent)
        curl_easy_getinfo_offset(raw, CURLINFO_STARTTRANSFER_TIME_T, &answered)
        return TransferReport(
            code: code, errorText: code != CURLE_OK ? String(cString: errorText) : "",
            proxyStatus: proxyStatus, connections: connections,
            responseTime: .microseconds(max(0, Int64(answered - sent))),
            isMultiplexed: version == Int(CURL_HTTP_VERSION_2_0))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(DownloadsError) {
        try check(curl_easy_setopt_long(raw, option, value))
    }

    private func check(_ code: CURLcode) throws(DownloadsError) {
        guard code == CURLE_OK else { throw DownloadsError(code) }
    }

    deinit {
        curl_easy_cleanup(raw)
        errorText.deallocate()
    }
}
