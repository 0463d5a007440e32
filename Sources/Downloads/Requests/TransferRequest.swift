/// A request for one address, shared by all that wait for the answer. Copies share their constant part.
struct TransferRequest: Sendable {
    private final class Subject: Sendable {
        let fetch: Fetch
        let address: RemoteAddress
        let known: CachedOriginal?
        let refused: RefusedContent?
        let options: FetchOptions
        /// When the cached original was seen in the store; nil if it was not.
        let seen: SuspendingClock.Instant?

        init(
            fetch: Fetch, address: RemoteAddress, known: CachedOriginal?, refused: RefusedContent?,
            options: FetchOptions,
            seen: SuspendingClock.Instant?
        ) {
            self.fetch = fetch
            self.address = address
            self.known = known
            self.refused = refused
            self.options = options
            self.seen = seen
        }
    }

    private let subject: Subject
    /// The redirects followed in this attempt; nil for the address itself.
    private(set) var trail: RedirectTrail?
    /// The number of failed attempts.
    var failures = 0
    /// The number of further attempts that failed with 429 or 503.
    var throttled = 0
    /// A try was not counted, because the whole process stood still meanwhile. Once is enough: it ends for certain.
    var wasBegunAgain = false
    /// Nothing is unpacked, whatever the server calls it. It comes after a try that failed to, so that there is one
    /// more.
    var takesBodyAsItComes = false

    /// The time for which a check of the store is trusted.
    private static let freshLook = Duration.seconds(1)

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
            seen: isStored ? .now : nil)
    }

    /// The cached original, if it is in the store: a server that is asked whether it has changed may answer 304, which
    /// is of no use if our copy is lost.
    func stored(in store: OriginalStore, now: SuspendingClock.Instant) -> CachedOriginal? {
        guard let known else { return nil }
        if let seen = subject.seen, now - seen < Self.freshLook { return known }
        return store.contains(known.original) ? known : nil
    }

    /// The same, to be asked where a redirect leads.
    func following(_ trail: RedirectTrail) -> TransferRequest {
        var next = self
        next.trail = trail
        return next
    }

    /// The same from the beginning: where the address leads is asked anew.
    var restarted: TransferRequest {
        var again = self
        again.trail = nil
        return again
    }

    /// The next address to request: the original one, or the target of a redirect.
    var target: RemoteAddress { trail?.target ?? address }

    /// The address after redirects, if the options ask for it.
    var location: String? { options.tellsLocation ? trail?.target.withoutQuery : nil }

    var fetch: Fetch { subject.fetch }
    var address: RemoteAddress { subject.address }
    var known: CachedOriginal? { subject.known }
    /// The content that the check of the options refused the last time.
    var refused: RefusedContent? { subject.refused }
    var options: FetchOptions { subject.options }
}
