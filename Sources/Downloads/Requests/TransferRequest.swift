/// A request for one address, shared by all callers that wait for the outcome. Copies share their constant part.
struct TransferRequest: QueuedRequest, Sendable {
    private final class Subject: Sendable {
        let fetch: Fetch
        let address: RemoteAddress
        let known: CachedOriginal?
        let refused: RefusedContent?
        let options: FetchOptions
        /// When the cached original was found in the store; nil if it was not.
        let lastSeen: SuspendingClock.Instant?
        /// Whether the request can be conditional.
        let hasValidators: Bool

        init(
            fetch: Fetch, address: RemoteAddress, known: CachedOriginal?, refused: RefusedContent?,
            options: FetchOptions,
            lastSeen: SuspendingClock.Instant?
        ) {
            self.fetch = fetch
            self.address = address
            self.known = known
            self.refused = refused
            self.options = options
            self.lastSeen = lastSeen
            let metadata = known?.metadata ?? refused?.metadata
            hasValidators = metadata?.etag != nil || metadata?.lastModified != nil
        }
    }

    private let subject: Subject
    /// Whether the request was answered with a body while as many downloads as allowed were running.
    var needsDownload = false
    /// The redirects that this attempt has followed; nil for a request for the address itself.
    private(set) var redirects: RedirectChain?
    /// The number of failed attempts that count.
    var failures = 0
    /// The number of attempts that failed with 429 or 503 and do not count.
    var throttled = 0
    var hasFailed: Bool { failures > 0 || throttled > 0 }
    /// Whether an attempt did not count because the process was suspended during it. This happens once at most, so that
    /// the attempts end.
    var wasRestartedAfterSuspension = false
    /// Whether the request has no conditions. This is set for one more attempt after a 304 was about another version.
    var isUnconditional = false
    /// Whether the body is stored as it arrives, whatever its `Content-Encoding`. This is set for one more attempt
    /// after decoding has failed.
    var skipsContentDecoding = false

    /// The time for which a check of the store is trusted.
    private static let storeCheckLifetime = Duration.seconds(1)

    /// - Parameters:
    ///   - refused: the content that was refused before; ignored if another edition of the check refused it.
    ///   - store: the store, which is checked here so that the transfer thread need not do it.
    init(
        _ fetch: Fetch, of address: RemoteAddress, known: CachedOriginal?, refused: RefusedContent? = nil,
        options: FetchOptions, from store: OriginalStore
    ) {
        let isStored = known.map { store.contains($0.original) } ?? false
        subject = Subject(
            fetch: fetch, address: address, known: known,
            refused: refused.flatMap { $0.edition == options.contentCheck?.edition ? $0 : nil }, options: options,
            lastSeen: isStored ? .now : nil)
    }

    /// The cached original, if it is in the store. If the file is lost, a 304 would be of no use, so the request must
    /// not be conditional.
    func stored(in store: OriginalStore, now: SuspendingClock.Instant) -> CachedOriginal? {
        guard let known, canBeConditional(known.metadata) else { return nil }
        if let lastSeen = subject.lastSeen, now - lastSeen < Self.storeCheckLifetime { return known }
        return store.contains(known.original) ? known : nil
    }

    /// The content that was refused before, if the request asks whether it has changed. If it is not known which URL
    /// sent it, it is requested once more: it can be the page to which the address led for a while.
    var revalidatedRefusal: RefusedContent? {
        refused.flatMap { canBeConditional($0.metadata) && $0.metadata.responder != .unknown ? $0 : nil }
    }

    private func canBeConditional(_ metadata: CacheMetadata) -> Bool {
        !isUnconditional && metadata.applies(after: redirects)
    }

    /// The request for the target of a redirect.
    func following(_ redirects: RedirectChain) -> TransferRequest {
        var next = self
        next.redirects = redirects
        return next
    }

    /// The request for the address itself, which follows redirects anew.
    var restarted: TransferRequest {
        var again = self
        again.redirects = nil
        return again
    }

    /// The next address to request: the original one, or the target of a redirect.
    var target: RemoteAddress { redirects?.target ?? address }

    var isDownload: Bool { needsDownload || isUnconditional || !subject.hasValidators }

    /// Where the response comes from; nil for the address itself.
    var responder: Responder? { Responder(redirects) }

    /// The address after redirects, if the options ask for it.
    var location: String? { options.reportsLocation ? redirects?.target.withoutQuery : nil }

    /// The address that the requested one has permanently moved to, in the form in which it is remembered.
    var moved: String? {
        redirects?.permanentTarget.map { $0.withoutQuery + ($0.url.utf8.contains(UInt8(ascii: "?")) ? "?" : "") }
    }

    var fetch: Fetch { subject.fetch }
    var address: RemoteAddress { subject.address }
    var known: CachedOriginal? { subject.known }
    /// The content that the content check refused the last time.
    var refused: RefusedContent? { subject.refused }
    var options: FetchOptions { subject.options }
}
