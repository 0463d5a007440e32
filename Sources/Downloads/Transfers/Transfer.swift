internal import Foundation
internal import PhotoModel

/// A transfer under way: the data received, and the reason if we aborted it.
final class Transfer {
    /// Why we ended a transfer ourselves.
    enum AbortReason {
        case tooLarge
        case endlessHeader
        /// The body that came with an error status: enough was read to know that it is long.
        case unwantedBody
        case stalled
        case timedOut
        /// The server sent another part than the one that is missing; or ours is damaged.
        case wrongPart
        /// The policy on addresses does not allow this host.
        case blocked(Failure)
        case store(DownloadsError)
        /// A conditional request is answered with a body, and all downloads are taken.
        case needsDownload
    }

    let request: TransferRequest
    /// The cached original, if the request is conditional; nil if the whole original was requested.
    let revalidated: CachedOriginal?
    /// The kept part of an earlier attempt, if the request is for the rest.
    let partial: PartialOriginal?
    let headers: ResponseHeaders
    private(set) var abortReason: AbortReason?
    /// Nil until the first byte of a good body.
    private(set) var writer: OriginalWriter?
    private(set) var receivedBytes: Int64 = 0
    /// Why the body is not taken, as its first bytes have shown.
    private(set) var contentRefusal: Failure?
    private var inspection: ContentInspection?
    let began = SuspendingClock.now
    /// When the first socket was opened; nil if the transfer reuses a connection.
    private var firstSocket: SuspendingClock.Instant?
    /// Until when the body of a redirect is read; nil if there is none.
    private var bodyEnd: SuspendingClock.Instant?
    /// When the time limit of the whole transfer ends.
    private var end: SuspendingClock.Instant
    /// Whether the process was suspended so long that a server may have given up, for which the server is not to blame.
    private(set) var processWasSuspended: Bool
    /// Whether it counts as a download.
    private(set) var isDownload: Bool
    private let beginDownload: () -> Bool
    /// When data last arrived from the server; nil while there is no connection.
    private var lastActivity: SuspendingClock.Instant?
    /// Whether data has arrived since the loop last read the clock.
    private var hasNewActivity = false
    private var addresses: ConnectionGuard
    let proxies: Proxies

    private let store: OriginalStore
    private let partials: PartialFolder
    private let limits: TransferLimits

    /// A body that is of no use is read to its end if it is short, so that the connection can be used again.
    private static let maxUnwantedBytes: Int64 = 64 * 1024
    /// The longest wait for the body of a redirect, which is read only so that the connection can be used again.
    private static let redirectBodyTime = Duration.milliseconds(500)
    /// The longest suspension that no server should mind; a machine that is only busy has shorter ones.
    private static let longestPatience = Duration.seconds(2)

    init(
        _ request: TransferRequest, store: OriginalStore, partials: PartialFolder, limits: TransferLimits,
        proxies: Proxies, beginDownload: @escaping () -> Bool
    ) {
        self.request = request
        isDownload = request.isDownload
        self.beginDownload = beginDownload
        self.partials = partials
        partial = partials.partial(of: request.address)
        self.store = store
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

    /// Adds its header lines, but for those that are for one host alone.
    func addFields(to fields: inout HeaderList) throws(DownloadsError) {
        try metadata?.addConditions(to: &fields)
        try partial?.addConditions(to: &fields)
    }

    /// The metadata whose validators the request sends.
    private var metadata: CacheMetadata? { revalidated?.metadata ?? request.refused?.metadata }

    /// Why no socket was opened, as the policy on addresses refuses all addresses that the host has.
    var addressRefusal: Failure? { addresses.refusal }

    /// - Returns: false if no socket may be opened to this address.
    func mayConnect(to address: IPAddress, port: Int) -> Bool {
        firstSocket = firstSocket ?? .now
        return addresses.allowsConnection(to: address, port: port)
    }

    /// The connection is there, new or used before, and the request is about to be sent; again if libcurl has to
    /// repeat it.
    ///
    /// - Returns: false to end the transfer.
    func connected(to address: String, port: Int) -> Bool {
        headers.beginRequest()
        hasNewActivity = true
        let isAllowed = addresses.allowsRequest(to: address, port: port)
        return addresses.refusal.map { stop(.blocked($0)) } ?? isAllowed
    }

    /// The address that this request is sent to.
    func redirectChain(to target: RemoteAddress) -> RedirectChain {
        let isPermanent = (request.redirects?.isPermanent ?? true) && headers.isPermanentRedirect
        return RedirectChain(
            target: target, count: (request.redirects?.count ?? 0) + 1, isPermanent: isPermanent,
            permanentTarget: isPermanent ? target : request.redirects?.permanentTarget,
            caching: (request.redirects?.caching ?? []) + [headers.caching],
            timeLeft: SuspendingClock.now.duration(to: end),
            hasContactedPublic: addresses.hasContactedPublic, processWasSuspended: processWasSuspended)
    }

    /// - Parameter status: what libcurl has read as the status of the response.
    /// - Returns: false to end the transfer.
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

    /// - Returns: false to end the transfer.
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

    /// - Returns: as above.
    private func take(_ body: UnsafeRawBufferPointer) throws(DownloadsError) -> Bool {
        if contentRefusal != nil { return discardBody() }
        // A part has its beginning in the file that it goes on with.
        if writer == nil, headers.status == 206 {
            writer = try makeWriter()
            guard writer != nil else { return stop(.wrongPart) }
            if let check = request.options.contentCheck, let start = try writer?.start(check.inspectedBytes) {
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

    /// Reads the rest of a body that is not wanted, if that is certain to be small.
    private func discardBody() -> Bool {
        let isShort = (headers.contentLength ?? .max) <= Self.maxUnwantedBytes
        return isShort && receivedBytes <= Self.maxUnwantedBytes ? true : stop(.unwantedBody)
    }

    /// Looks at the beginning of a body that has ended, if it was too short to be looked at before.
    func inspectEnd() { contentRefusal = contentRefusal ?? inspection?.end() }

    /// Whether a part of a response has arrived.
    var wasAnswered: Bool { headers.bytes > 0 }

    /// - Returns: the conclusion about the host; nil if the failure concerns the photo alone.
    func hostFailure(_ verdict: TransferVerdict) -> HostFailure? {
        guard case .failed(let failure) = verdict else { return nil }
        return failure.hostFailure(wasAnswered: wasAnswered)
    }

    /// The time since which the transfer's events say something about the host.
    var connectionStarted: SuspendingClock.Instant { firstSocket ?? began }

    /// Whether the body is the original, or the rest of it that was requested.
    var carriesOriginal: Bool { headers.isWhole || headers.status == 206 && partial != nil }

    /// Whether the host is sending the original now.
    var isBeingServed: Bool { headers.isComplete && carriesOriginal }

    /// The kept part that this transfer completes.
    private var resumedBytes: Int64 { headers.status == 206 ? partial?.bytes ?? 0 : 0 }

    /// The size of the whole original in bytes, as far as the server gave it.
    private var total: Int64? {
        if headers.status == 206 { return headers.contentRange.flatMap { ContentRange($0)?.total } ?? partial?.total }
        return headers.contentLength
    }

    /// False if bytes are missing or too many, whatever the connection says.
    var isWhole: Bool { !headers.isUncompressed || total == nil || writer?.bytes == total || writer == nil }

    /// - Returns: nil if there is no beginning for what arrives.
    private func makeWriter() throws(DownloadsError) -> OriginalWriter? {
        guard headers.status == 206, let partial else {
            // A server that sends the whole has another version, or does not support ranges: the kept part is of no
            // use.
            discardPartial()
            return try OriginalWriter(in: store)
        }
        return try partials.resume(partial, of: request.address)
    }

    /// Keeps what has arrived, if the server can be asked for the rest alone.
    func keepPartial() {
        // A part that the disk refuses is downloaded again; only time is lost.
        guard carriesOriginal, headers.status != 203, let written = try? finishWriting() else { return }
        let earlier = headers.status == 206 ? partial : nil
        guard let start = PartialOriginal(written.original, total: total, headers: headers, after: earlier) else {
            return
        }
        partials.keep(written, as: start, of: request.address)
    }

    /// Throws away what earlier tries brought.
    func discardPartial() { partials.discard(request.address) }

    /// The time at which the transfer is aborted if nothing more comes, and the reason. While a connection is being
    /// made, libcurl has a limit of its own as well.
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

    /// Extends the deadlines by the time in which the process was suspended, which does not count against the server.
    func extendDeadlines(by lapse: Duration) {
        if lapse >= Self.longestPatience { processWasSuspended = true }
        end += lapse
        if let sign = lastActivity { lastActivity = sign + lapse }
    }

    /// The complete original under its temporary name, or nil if not one byte came.
    func finishWriting() throws(DownloadsError) -> StagedOriginal? {
        guard let writer = writer.take() else { return nil }
        return try writer.finish()
    }

    private func stop(_ reason: AbortReason) -> Bool {
        abortReason = reason
        return false
    }
}
