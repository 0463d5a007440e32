internal import CLibCurl
internal import Foundation

/// Owns one of libcurl's easy handles, which serves one transfer after another. Used on the transfer thread only.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// The transfer that the handle works for; nil while it is idle.
    private(set) var transfer: Transfer?
    private let client: ClientProfile
    private let watch: StepWatch
    private var fields = FieldList()
    /// As the options are that the transfers before this one left.
    private var (allowsCompression, isSecure, takesBodyAsItComes) = (false, false, false)
    private var proxy: Proxy?
    /// Where libcurl writes what went wrong. Lives as long as the handle, which keeps the pointer.
    private let errorText: UnsafeMutablePointer<CChar>

    init(limits: TransferLimits, client: ClientProfile, watch: StepWatch) throws(DownloadsError) {
        guard let raw = curl_easy_init() else { throw DownloadsError(CURLE_OUT_OF_MEMORY) }
        self.raw = raw
        self.client = client
        self.watch = watch
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try setLimits(limits)
        try setManners()
        try setTrust()
        try setWay()
        try setCallbacks()
    }

    private func setLimits(_ limits: TransferLimits) throws(DownloadsError) {
        try check(curl_easy_restrict_to_http(raw))
        try set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout.wholeMilliseconds)
        // Each redirect is a request of its own (`RedirectTrail`).
        try set(CURLOPT_FOLLOWLOCATION, 0)
    }

    private func setManners() throws(DownloadsError) {
        try check(curl_easy_setopt_string(raw, CURLOPT_USERAGENT, client.userAgent))
        try setEncoding()
        // Signals belong to the program; without this libcurl uses SIGALRM.
        try set(CURLOPT_NOSIGNAL, 1)
        try check(curl_easy_leave_resolver_behind(raw))
        // What a proxy says before the tunnel stands is not the server's answer.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Photos are large: fewer, larger reads than with the default of 16 KB. With 64 KB glibc tidied up its heap each time that
        // the buffer was freed, which is after each transfer; tcmalloc was not tried.
        try set(CURLOPT_BUFFERSIZE, 32 * 1024)
    }

    /// What a server compresses against our wish is unpacked by libcurl all the same, piece by piece, so that the cap on
    /// bytes holds.
    private func setEncoding() throws(DownloadsError) {
        try check(curl_easy_setopt_string(raw, CURLOPT_ACCEPT_ENCODING, allowsCompression ? "" : "identity"))
    }

    private func setTrust() throws(DownloadsError) {
        if let netrc = client.netrc {
            try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
            try check(curl_easy_setopt_string(raw, CURLOPT_NETRC_FILE, netrc))
        } else {
            // No address that is asked names a user: `RemoteAddress` sees to that.
            try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        }
        if let file = client.certificates.file { try check(curl_easy_setopt_string(raw, CURLOPT_CAINFO, file)) }
        if let folders = client.certificates.folders {
            try check(curl_easy_setopt_string(raw, CURLOPT_CAPATH, folders))
        }
    }

    /// An empty proxy, and an empty list of exceptions, keep libcurl from looking into the environment.
    private func setWay() throws(DownloadsError) {
        try check(curl_easy_setopt_string(raw, CURLOPT_PROXY, ""))
        try check(curl_easy_setopt_string(raw, CURLOPT_NOPROXY, client.proxies.exceptions))
        guard client.proxies.isSecure else { return }
        if let file = client.certificates.file { try check(curl_easy_setopt_string(raw, CURLOPT_PROXY_CAINFO, file)) }
        if let folders = client.certificates.folders {
            try check(curl_easy_setopt_string(raw, CURLOPT_PROXY_CAPATH, folders))
        }
    }

    private func setProxy(isSecure: Bool) throws(DownloadsError) {
        let next = client.proxies.proxy(isSecure: isSecure)
        guard next != proxy else { return }
        try check(curl_easy_setopt_string(raw, CURLOPT_PROXY, next?.url ?? ""))
        proxy = next
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
                EasyHandle.handle(in: context)?
                    .received(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count)) == true
                    ? size * count : 0
            })
        try setGuards(context)
        try setSockets()
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

    /// A connection outlives the handle that it was made for.
    private func setSockets() throws(DownloadsError) {
        // Unretained: the transfer loop keeps the watch until the multi handle has closed all connections.
        let sockets = Unmanaged.passUnretained(watch.sockets).toOpaque()
        try check(curl_easy_setopt_pointer(raw, CURLOPT_CLOSESOCKETDATA, sockets))
        try check(
            curl_easy_setopt_closesocket(raw, CURLOPT_CLOSESOCKETFUNCTION) { sockets, descriptor in
                guard let sockets else { return -1 }
                return Unmanaged<OpenSockets>.fromOpaque(sockets).takeUnretainedValue().close(descriptor)
            })
    }

    private func openSocket(_ wanted: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let end = curl_sockaddr_address(wanted).flatMap({ NetworkAddress.read($0) }),
            transfer?.mayConnect(to: end.address, port: end.port) == true
        else {
            return CURL_SOCKET_BAD
        }
        return watch.sockets.open(
            family: wanted.pointee.family, type: wanted.pointee.socktype, number: wanted.pointee.protocol)
    }

    private func received(headerLine line: UnsafeRawBufferPointer) -> Bool {
        transfer?.received(headerLine: line) { status } ?? false
    }

    /// Of the response that libcurl is reading.
    private var status: Int {
        var status = 0
        // It fails only for an unknown question, and then leaves the value as it was.
        curl_easy_getinfo_long(raw, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    private func mayAsk(_ address: String, port: Int) -> Bool { transfer?.connected(to: address, port: port) ?? false }

    /// What the transfer sends of its own, and what is for the host that it asks.
    private func setFields(of transfer: Transfer) throws(DownloadsError) {
        var new = FieldList()
        try transfer.addFields(to: &new)
        if !client.headers.isEmpty {
            for line in client.headers.lines(for: transfer.request.target) { try new.append(line) }
        }
        try check(curl_easy_setopt_list(raw, CURLOPT_HTTPHEADER, new.raw))
        fields = new
    }

    private static func handle(in context: UnsafeMutableRawPointer?) -> EasyHandle? {
        guard let context else { return nil }
        let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
        handle.watch.noteSign()
        return handle
    }

    private static func transfer(in context: UnsafeMutableRawPointer?) -> Transfer? { handle(in: context)?.transfer }

    func begin(_ transfer: Transfer) throws(DownloadsError) {
        self.transfer = transfer
        errorText.pointee = 0
        try setFields(of: transfer)
        if transfer.request.terms.allowsCompression != allowsCompression {
            allowsCompression.toggle()
            try setEncoding()
        }
        if transfer.request.takesBodyAsItComes != takesBodyAsItComes {
            takesBodyAsItComes.toggle()
            try set(CURLOPT_HTTP_CONTENT_DECODING, takesBodyAsItComes ? 0 : 1)
        }
        // Where TLS may offer HTTP/2, the others wait to see whether one connection is enough for all. Without TLS it never
        // is, and they would wait for the first answer.
        if transfer.request.target.isSecure != isSecure {
            isSecure.toggle()
            try set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        }
        try setProxy(isSecure: isSecure)
        try check(curl_easy_setopt_string(raw, CURLOPT_URL, transfer.request.target.url))
    }

    /// What libcurl says of the transfer that has just ended.
    func report(_ code: CURLcode) -> TransferReport {
        var (connections, proxyStatus) = (0, 0)
        // These fail only for an unknown question, and then leave the value as it was.
        curl_easy_getinfo_long(raw, CURLINFO_NUM_CONNECTS, &connections)
        curl_easy_getinfo_long(raw, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
        return TransferReport(
            code: code, errorText: code != CURLE_OK ? String(cString: errorText) : "",
            proxyStatus: proxyStatus, connections: connections)
    }

    /// Makes the handle idle; it must be out of the multi handle by now.
    func end() {
        transfer = nil
        // libcurl must not keep a pointer to a list that is gone; setting NULL cannot fail.
        curl_easy_setopt_list(raw, CURLOPT_HTTPHEADER, nil)
        fields = FieldList()
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
