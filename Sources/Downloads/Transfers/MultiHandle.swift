internal import CLibCurl

/// Owns libcurl's multi handle: all transfers, their connections and TLS sessions, and the resolved names.
///
/// `@unchecked Sendable`: one thread calls everything but `wakeUp()`, which libcurl allows on any thread.
/// `TransferMailbox` makes sure that `wakeUp()` is not called after the handle is freed.
final class MultiHandle: @unchecked Sendable {
    private let raw: UnsafeMutableRawPointer
    /// The shared TLS sessions, which libcurl would otherwise keep in each easy handle. They need no locks, because one
    /// thread uses them.
    private let sessions: UnsafeMutableRawPointer
    private var isClosed = false

    /// libcurl must be initialised once, before any other call. Swift initialises a static property exactly once,
    /// whichever thread comes first.
    private static let setUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// - Parameters:
    ///   - connections: the number of connections that are kept open, whether in use or not.
    ///   - perHost: the most open connections to one host, or to one proxy.
    init(keeping connections: Int, perHost: Int) throws(DownloadsError) {
        guard Self.setUp == CURLE_OK else { throw DownloadsError(Self.setUp) }
        guard let raw = curl_multi_init() else { throw DownloadsError(CURLE_OUT_OF_MEMORY) }
        guard let sessions = curl_share_init() else {
            curl_multi_cleanup(raw)
            throw DownloadsError(CURLE_OUT_OF_MEMORY)
        }
        self.raw = raw
        self.sessions = sessions
        // A libcurl without TLS has no sessions to share, so a failure is ignored.
        curl_share_setopt_data(sessions, CURL_LOCK_DATA_SSL_SESSION)
        // By default, libcurl keeps four times as many connections as there are transfers at the moment. Whenever there
        // are few transfers, it would close the rest.
        try check(curl_multi_setopt_long(raw, CURLMOPT_MAXCONNECTS, connections))
        try limitConnections(perHost: perHost)
    }

    /// Sets the most open connections to one host, or to one proxy. Requests that need another one wait.
    func limitConnections(perHost: Int) throws(DownloadsError) {
        try check(curl_multi_setopt_long(raw, CURLMOPT_MAX_HOST_CONNECTIONS, perHost))
    }

    func add(_ handle: EasyHandle) throws(DownloadsError) {
        let code = curl_easy_setopt_pointer(handle.raw, CURLOPT_SHARE, sessions)
        guard code == CURLE_OK else { throw DownloadsError(code) }
        try check(curl_multi_add_handle(raw, handle.raw))
    }

    func remove(_ handle: EasyHandle) throws(DownloadsError) { try check(curl_multi_remove_handle(raw, handle.raw)) }

    /// Does all work that is possible without waiting.
    func perform() throws(DownloadsError) {
        var running: Int32 = 0
        try check(curl_multi_perform(raw, &running))
    }

    /// Waits until a connection is ready, libcurl has work to do, `wakeUp()` is called, or the time is over.
    func poll(_ atMost: Duration) throws(DownloadsError) {
        try check(curl_multi_poll(raw, nil, 0, Int32(clamping: atMost.wholeMilliseconds), nil))
    }

    /// The next transfer that has ended, identified by its easy handle; nil if there is none.
    func nextEnded() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(raw, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            return (handle, message.pointee.data.result)
        }
        return nil
    }

    /// Ends the running `poll`, or else the next one. It can be called on any thread.
    func wakeUp() throws(DownloadsError) { try check(curl_multi_wakeup(raw)) }

    private func check(_ code: CURLMcode) throws(DownloadsError) {
        guard code == CURLM_OK else { throw DownloadsError(code) }
    }

    /// Closes all connections. All easy handles must have been freed before, and no other method may be called
    /// afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        curl_multi_cleanup(raw)
        curl_share_cleanup(sessions)
    }

    deinit { close() }
}
