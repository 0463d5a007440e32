internal import Foundation
internal import PhotoModel

/// A transfer in progress: the data received so far, and the reason if this client aborted it.
final class Transfer {
    /// The reason for which this client aborts a transfer.
    enum AbortReason {
        case tooLarge
        case endlessHeader
        /// The body of an error, of a redirect or of refused content is too long or too slow to be read to its end.
        case unwantedBody
        case stalled
        case timedOut
        /// The server sent another part than the missing one, or the kept part is damaged.
        case wrongPart
        /// The address policy does not allow this host.
        case blocked(Failure)
        case store(DownloadsError)
        /// A conditional request is answered with a body, but as many downloads as allowed are running.
        case needsDownload
    }

    let request: TransferRequest
    /// The cached original, if the request revalidates it; nil otherwise.
    let revalidated: CachedOriginal?
    /// The kept part of an earlier attempt, if the request is for the rest.
    let partial: PartialOriginal?
    let headers: ResponseHeaders
    private(set) var abortReason: AbortReason?
    /// The writer of the original; nil before the first byte of a body, and for a body that is not accepted.
    private(set) var writer: OriginalWriter?
    private(set) var receivedBytes: Int64 = 0
    /// Why the body is refused, as its first bytes have shown.
    private(set) var contentRefusal: Failure?
    private var inspection: ContentInspection?
    let began = SuspendingClock.now
    /// When the first socket was opened; nil if the transfer reuses a connection.
    private var firstSocket: SuspendingClock.Instant?
    /// The time until which the body of a redirect is read; nil if the response is not a redirect.
    private var bodyEnd: SuspendingClock.Instant?
    /// The time at which the limit on the whole transfer is reached.
    private var end: SuspendingClock.Instant
    /// Whether the process was suspended for so long that the server may have given up. Then the server is not to
    /// blame.
    private(set) var processWasSuspended: Bool
    /// Whether the transfer counts as a download.
    private(set) var isDownload: Bool
    private let beginDownload: () -> Bool
    /// When data last arrived from the server; nil until there is a connection.
    private var lastActivity: SuspendingClock.Instant?
    /// Whether data has arrived since the loop last read the clock.
    private var hasNewActivity = false
    private var addresses: ConnectionGuard
    let proxies: Proxies

    private let store: OriginalStore
    private let partials: PartialFolder
    let limits: TransferLimits

    /// The longest useless body, in bytes, that is read to its end so that its connection can be reused.
    private static let maxUnwantedBytes: Int64 = 64 * 1024
    /// The longest time for reading the body of a redirect, which is read only so that the connection can be reused.
    private static let redirectBodyTime = Duration.milliseconds(500)
    /// The shortest suspension that can make a server give up. A machine that is merely busy causes shorter ones.
    private static let shortestDisruptiveSuspension = Duration.seconds(2)

    init(
        _ request: TransferRequest, store: OriginalStore, partials: PartialFolder, limits: TransferLimits,
        proxies: Proxies, beginDownload: @escaping () -> Bool
    ) {
        self.request = request
        isDownload = request.isDownload
        self.beginDownload = beginDownload
        self.partials = partials
        partial = partials.partial(of: request.address).flatMap {
            $0.metadata.applies(after: request.redirects) ? $0 : nil
        }
        self.store = store
        var limits = limits
        limits.maxBytes = min(limits.maxBytes, request.options.maxBytes)
        self.limits = limits
        self.proxies = proxies
        let redirects = request.redirects
        headers = ResponseHeaders(after: redirects?.caching ?? [])
        end = began + (redirects?.timeLeft ?? limits.timeout)
        processWasSuspended = redirects?.processWasSuspended ?? false
        addresses = ConnectionGuard(
            request.options.policy, written: request.address.host, host: request.target.host, port: request.target.port,
            isSecure: request.target.isSecure, isAfterPublic: redirects?.hasContactedPublic ?? false, proxies: proxies)
        revalidated = request.stored(in: store, now: began)
        inspection = request.options.contentCheck.map { ContentInspection($0) }
    }

    /// Adds the header fields of this transfer. Those that are configured for its host are added by `EasyHandle`.
    func addFields(to fields: inout HeaderList) throws(DownloadsError) {
        try metadata?.addConditions(to: &fields)
        try partial?.addConditions(to: &fields)
    }

    /// The metadata whose validators the request sends.
    private var metadata: CacheMetadata? { revalidated?.metadata ?? request.revalidatedRefusal?.metadata }

    /// The failure, if no socket was opened because the address policy refuses all addresses of the host.
    var addressRefusal: Failure? { addresses.refusal }

    /// - Returns: false if no socket may be opened to this address.
    func mayConnect(to address: IPAddress, port: Int) -> Bool {
        firstSocket = firstSocket ?? .now
        return addresses.allowsConnection(to: address, port: port)
    }

    /// Notes that a connection, new or reused, is ready and the request is about to be sent. libcurl calls this again
    /// if it has to repeat the request.
    ///
    /// - Returns: false to abort the transfer.
    func connected(to address: String, port: Int) -> Bool {
        headers.beginRequest()
        hasNewActivity = true
        let isAllowed = addresses.allowsRequest(to: address, port: port)
        return addresses.refusal.map { stop(.blocked($0)) } ?? isAllowed
    }

    /// The chain of redirects with which the request continues at `target`.
    /// - Parameter cookies: the cookies of this transfer, in libcurl's form.
    func redirectChain(to target: RemoteAddress, cookies: [String]) -> RedirectChain {
        let isPermanent = (request.redirects?.isPermanent ?? true) && headers.isPermanentRedirect
        return RedirectChain(
            target: target, count: (request.redirects?.count ?? 0) + 1, isPermanent: isPermanent,
            permanentTarget: isPermanent ? target : request.redirects?.permanentTarget,
            caching: (request.redirects?.caching ?? []) + [headers.caching], cookies: cookies,
            timeLeft: SuspendingClock.now.duration(to: end),
            hasContactedPublic: addresses.hasContactedPublic, processWasSuspended: processWasSuspended)
    }

    /// Notes that the transfer only waits for this client, so that it does not count as stalled.
    func noteActivity() { hasNewActivity = true }

    /// - Parameter status: returns the status that libcurl has read.
    /// - Returns: false to abort the transfer.
    func received(headerLine line: UnsafeRawBufferPointer, status: () -> Int) -> Bool {
        hasNewActivity = true
        headers.add(line, status: status)
        if headers.bytes > ResponseHeaders.maxBytes { return stop(.endlessHeader) }
        if headers.isComplete, headers.redirectLocation != nil, bodyEnd == nil {
            bodyEnd = .now + Self.redirectBodyTime
        }
        guard headers.isComplete, carriesOriginal else { return true }
        if !isDownload {
            guard beginDownload() else { return stop(.needsDownload) }
            isDownload = true
        }
        if headers.status == 206, partial?.isContinued(by: headers) != true { return stop(.wrongPart) }
        if let length = headers.contentLength, length > limits.maxBytes - resumedBytes { return stop(.tooLarge) }
        return true
    }

    /// - Returns: false to abort the transfer.
    func received(body: UnsafeRawBufferPointer) -> Bool {
        hasNewActivity = true
        receivedBytes += Int64(body.count)
        guard carriesOriginal else {
            return receivedBytes <= Self.maxUnwantedBytes ? true : stop(.unwantedBody)
        }
        guard receivedBytes <= limits.maxBytes - resumedBytes else { return stop(.tooLarge) }
        do {
            return try take(body)
        } catch {
            return stop(.store(error))
        }
    }

    /// - Returns: false to abort the transfer.
    private func take(_ body: UnsafeRawBufferPointer) throws(DownloadsError) -> Bool {
        if contentRefusal != nil { return discardBody() }
        // The first bytes of a resumed original are in the file that the body continues.
        if writer == nil, headers.status == 206 {
            writer = try makeWriter()
            guard writer != nil else { return stop(.wrongPart) }
            if let check = request.options.contentCheck, let start = try writer?.firstBytes(check.inspectedBytes) {
                contentRefusal = start.withUnsafeBytes { inspection?.add($0) }
            }
        }
        contentRefusal = contentRefusal ?? inspection?.add(body)
        if contentRefusal != nil {
            writer = nil
            return discardBody()
        }
        if writer == nil { writer = try makeWriter() }
        try writer?.append(body)
        return true
    }

    /// Reads the rest of an unwanted body, if it is certain to be short.
    ///
    /// - Returns: false to abort the transfer.
    private func discardBody() -> Bool {
        let isShort = (headers.contentLength ?? .max) <= Self.maxUnwantedBytes
        return isShort && receivedBytes <= Self.maxUnwantedBytes ? true : stop(.unwantedBody)
    }

    /// Checks a body that ended before it had as many bytes as the check needs.
    func inspectEnd() { contentRefusal = contentRefusal ?? inspection?.end() }

    /// Whether any part of a response has arrived.
    var wasAnswered: Bool { headers.bytes > 0 }

    /// - Returns: what the failure says about the host; nil if it concerns the photo alone.
    func hostFailure(_ outcome: TransferOutcome) -> HostFailure? {
        guard case .failed(let failure) = outcome else { return nil }
        return failure.hostFailure(wasAnswered: wasAnswered)
    }

    /// The beginning of the attempt, as `HostHealth` counts it: when the first socket was opened, or when the transfer
    /// began if it reuses a connection.
    var connectionStarted: SuspendingClock.Instant { firstSocket ?? began }

    /// Whether the body is the original, or the requested rest of it.
    var carriesOriginal: Bool { headers.hasWholeContent || headers.status == 206 && partial != nil }

    /// Whether the host is currently sending the original.
    var isBeingServed: Bool { headers.isComplete && carriesOriginal }

    /// The size in bytes of the kept part that this transfer completes; 0 if there is none.
    private var resumedBytes: Int64 { headers.status == 206 ? partial?.bytes ?? 0 : 0 }

    /// The size of the whole original in bytes; nil if the server did not state it.
    private var total: Int64? {
        if headers.status == 206 { return headers.contentRange.flatMap { ContentRange($0)?.total } ?? partial?.total }
        return headers.contentLength
    }

    /// The type of the whole original, as the server named it.
    var contentType: String? { (headers.status == 206 ? partial?.contentType : nil) ?? headers.contentType }

    /// Whether the body has its stated size, however the connection ended. A body without a stated size, and a
    /// compressed one, can't be checked and count as whole.
    var isComplete: Bool { !headers.isUncompressed || total == nil || writer?.bytes == total || writer == nil }

    /// - Returns: nil if the kept part that the body continues is missing or damaged.
    private func makeWriter() throws(DownloadsError) -> OriginalWriter? {
        guard headers.status == 206, let partial else {
            // A server that sends the whole original has another version or does not support ranges, so the kept part
            // is of no use.
            discardPartial()
            return try OriginalWriter(in: store)
        }
        return try partials.resume(partial, of: request.address)
    }

    /// Keeps the part that has arrived, if the server can be asked for the rest alone.
    func savePartial() {
        // If the part can't be written, all of it is downloaded again: only time is lost.
        guard carriesOriginal, headers.status != 203, let written = try? finishWriting() else { return }
        let earlier = headers.status == 206 ? partial : nil
        let responder = request.responder
        guard
            let start = PartialOriginal(
                written.original, total: total, headers: headers, from: responder, after: earlier)
        else { return }
        partials.save(written, as: start, of: request.address)
    }

    /// Discards the part that earlier attempts have received.
    func discardPartial() { partials.discard(request.address) }

    /// The time at which the transfer is aborted if nothing more arrives, and the reason. While a connection is being
    /// made, libcurl enforces a limit of its own as well.
    func deadline(now: SuspendingClock.Instant) -> (moment: SuspendingClock.Instant, reason: AbortReason) {
        if hasNewActivity {
            lastActivity = now
            hasNewActivity = false
        }
        guard let lastActivity else { return (end, .timedOut) }
        let stall = lastActivity + limits.stallTimeout
        if let bodyEnd, bodyEnd < min(stall, end) { return (bodyEnd, .unwantedBody) }
        return stall < end ? (stall, .stalled) : (end, .timedOut)
    }

    /// Notes that the transfer ran out of time.
    func expire(_ reason: AbortReason) { abortReason = reason }

    /// Extends the deadlines by the time for which the process was suspended, which does not count against the server.
    func extendDeadlines(by lapse: Duration) {
        if lapse >= Self.shortestDisruptiveSuspension { processWasSuspended = true }
        end += lapse
        if let sign = lastActivity { lastActivity = sign + lapse }
    }

    /// Completes the original, which still has its temporary name.
    ///
    /// - Returns: nil if no byte of it has arrived.
    func finishWriting() throws(DownloadsError) -> StagedOriginal? {
        guard let writer = writer.take() else { return nil }
        return try writer.finish()
    }

    private func stop(_ reason: AbortReason) -> Bool {
        abortReason = reason
        return false
    }
}
