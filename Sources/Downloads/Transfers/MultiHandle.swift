internal import CLibCurl

/// Owns libcurl's multi handle: all transfers, their connections, TLS sessions, and the names looked up.
///
/// `@unchecked Sendable`: one thread calls everything but `wakeUp()`, which libcurl allows from any thread; the mailbox
/// sees to it that nobody calls that one after the handle is freed.
final class MultiHandle: @unchecked Sendable {
    private let raw: UnsafeMutableRawPointer
    /// TLS sessions, which libcurl would keep in each easy handle otherwise. It needs no locks, as one thread uses it.
    private let sessions: UnsafeMutableRawPointer
    private var isClosed = false

    /// libcurl wants to be set up once, before anything else; a static is set once whoever comes first.
    private static let setUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// - Parameters:
    ///   - connections: how many are kept open for later transfers, in use or not.
    ///   - perHost: how many may be open to one host. Requests by HTTP/2 share one, but when the server ends it
    ///     (GOAWAY, RFC 9113 §6.8), libcurl 7.88 opens one for each request that was turned away.
    init(keeping connections: Int, perHost: Int) throws(DownloadsError) {
        guard Self.setUp == CURLE_OK else { throw DownloadsError(Self.setUp) }
        guard let raw = curl_multi_init() else { throw DownloadsError(CURLE_OUT_OF_MEMORY) }
        guard let sessions = curl_share_init() else {
            curl_multi_cleanup(raw)
            throw DownloadsError(CURLE_OUT_OF_MEMORY)
        }
        self.raw = raw
        self.sessions = sessions
        // A libcurl without TLS has none to share.
        curl_share_setopt_data(sessions, CURL_LOCK_DATA_SSL_SESSION)
        // libcurl's default is four times as many connections as there are transfers at the moment: it would close
        // the rest whenever there are few transfers.
        try check(curl_multi_setopt_long(raw, CURLMOPT_MAXCONNECTS, connections))
        try check(curl_multi_setopt_long(raw, CURLMOPT_MAX_HOST_CONNECTIONS, perHost))
    }

    func add(_ handle: EasyHandle) throws(DownloadsError) {
        let code = curl_easy_setopt_pointer(handle.raw, CURLOPT_SHARE, sessions)
        guard code == CURLE_OK else { throw DownloadsError(code) }
        try check(curl_multi_add_handle(raw, handle.raw))
    }

    func remove(_ handle: EasyHandle) throws(DownloadsError) { try check(curl_multi_remove_handle(raw, handle.raw)) }

    /// Does what can be done without waiting.
    func perform() throws(DownloadsError) {
        var running: Int32 = 0
        try check(curl_multi_perform(raw, &running))
    }

    /// Waits until a connection has something, libcurl has something to do, `wakeUp()` is called, or the time is over.
    func poll(_ atMost: Duration) throws(DownloadsError) {
        try check(curl_multi_poll(raw, nil, 0, Int32(clamping: atMost.wholeMilliseconds), nil))
    }

    /// The next transfer that has ended, as the easy handle it ran on.
    func nextEnded() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(raw, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            return (handle, message.pointee.data.result)
        }
        return nil
    }

    /// Ends the `poll` that is under way, or else the next one. From any thread.
    func wakeUp() throws(DownloadsError) { try check(curl_multi_wakeup(raw)) }

    private func check(_ code: CURLMcode) throws(DownloadsError) {
        guard code == CURLM_OK else { throw DownloadsError(code) }
    }

    /// Closes all connections. Nothing else may be called after this, and all easy handles must be gone.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        curl_multi_cleanup(raw)
        curl_share_cleanup(sessions)
    }

    deinit { close() }
}
