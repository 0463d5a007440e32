/// A request for one address, shared by all that wait for the answer. Copies share their constant part.
struct TransferRequest: QueuedRequest, Sendable {
    private final class Subject: Sendable {
        let fetch: Fetch
        let address: RemoteAddress
        let known: CachedOriginal?
        let refused: RefusedContent?
        let options: FetchOptions
        /// When the cached original was seen in the store; nil if it was not.
        let lastSeen: SuspendingClock.Instant?

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
        }
    }

    private let subject: Subject
    /// Whether it was answered with a body while all downloads were taken.
    var needsDownload = false
    /// The redirects followed in this attempt; nil for the address itself.
    private(set) var redirects: RedirectChain?
    /// The number of failed attempts.
    var failures = 0
    /// The number of further attempts that failed with 429 or 503.
    var throttled = 0
    /// Whether an attempt was not counted because the process was suspended meanwhile. That happens once at most, so
    /// that the attempts end.
    var wasRestartedAfterSuspension = false
    /// Whether the body is stored as it arrives, whatever its `Content-Encoding`. It is set for one more attempt after
    /// decoding failed.
    var skipsContentDecoding = false

    /// The time for which a check of the store is trusted.
    private static let storeCheckLifetime = Duration.seconds(1)

    /// - Parameters:
    ///   - refused: of no account if it was refused by another check than that of the terms.
    ///   - store: is looked into here, so that the transfer thread need not.
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

    /// The cached original, if it is in the store: a server that is asked whether it has changed may answer 304, which
    /// is of no use if our copy is lost.
    func stored(in store: OriginalStore, now: SuspendingClock.Instant) -> CachedOriginal? {
        guard let known else { return nil }
        if let lastSeen = subject.lastSeen, now - lastSeen < Self.storeCheckLifetime { return known }
        return store.contains(known.original) ? known : nil
    }

    /// The request for the target of a redirect.
    func following(_ redirects: RedirectChain) -> TransferRequest {
        var next = self
        next.redirects = redirects
        return next
    }

    /// The request for the address itself; its redirects are followed anew.
    var restarted: TransferRequest {
        var again = self
        again.redirects = nil
        return again
    }

    /// The next address to request: the original one, or the target of a redirect.
    var target: RemoteAddress { redirects?.target ?? address }

    var isDownload: Bool {
        let metadata = known?.metadata ?? refused?.metadata
        return needsDownload || metadata?.etag == nil && metadata?.lastModified == nil
    }

    /// The address after redirects, if the options ask for it.
    var location: String? { options.reportsLocation ? redirects?.target.withoutQuery : nil }

    /// The address that permanent redirects gave in place of the requested one, in the form in which it is remembered.
    var moved: String? { redirects?.permanentTarget?.withoutQuery }

    var fetch: Fetch { subject.fetch }
    var address: RemoteAddress { subject.address }
    var known: CachedOriginal? { subject.known }
    /// The content that the check of the options refused the last time.
    var refused: RefusedContent? { subject.refused }
    var options: FetchOptions { subject.options }
}
