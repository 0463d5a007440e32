package import PhotoModel
internal import Synchronization

/// The entry point of this module: turns addresses into stored originals.
///
/// All transfers run on one thread, and local files are copied on a few others. An address is fetched once, however
/// many callers ask for it.
package final class Downloader: Sendable {
    private let fetches = RequestCoalescer()
    private let tally = TransferTally()
    private let clock: BuildClock
    private let startedAt: Int64
    private let store: OriginalStore
    /// The options of every fetch that has none of its own.
    package let options: FetchOptions
    private let locallyListed = Mutex<(addresses: Set<RequestKey>, servers: [RequestKey: Set<Int>])>(([], [:]))
    private let transfers: TransferThread
    private let files: FileFetcher

    /// - Parameters:
    ///   - jitter: makes the waits before retries random; tests pass one that makes them zero.
    ///   - startedAt: the current real time in nanoseconds since 1970, never a pinned one. A local file that was
    ///     changed less than 2 s before this time, or after it, is read again by the next build, because it could
    ///     change again unnoticed.
    package init(
        store: OriginalStore, limits: TransferLimits, options: FetchOptions, client: ClientProfile, startedAt: Int64,
        jitter: @escaping Backoff.Jitter = Backoff.fullJitter
    ) throws(DownloadsError) {
        self.options = options
        self.store = store
        self.startedAt = startedAt
        clock = BuildClock(startedAt: startedAt)
        files = FileFetcher(
            store: store, maxBytes: limits.maxBytes, check: options.contentCheck, startedAt: startedAt,
            fetches: fetches,
            tally: tally)
        transfers = try TransferThread(
            limits: limits, client: client, clock: clock, jitter: jitter, store: store, fetches: fetches,
            tally: tally)
    }

    /// Starts a fetch, or joins the fetch of the same address that this downloader is running or has finished. When a
    /// fetch is joined, the arguments of its first caller count.
    ///
    /// - Parameters:
    ///   - known: the original that an earlier build remembers. If it is not in the store, the whole original is
    ///     downloaded.
    ///   - refused: the content that an earlier build refused, if that was the latest. It is downloaded again if the
    ///     options have another edition of the check now.
    ///   - wait: the pause that the server asked for in an earlier build. The server is not contacted before it ends.
    ///   - options: the options of the fetch; nil for those of the downloader, which local files always use.
    ///   - completion: called exactly once on a thread of the downloader, even after a cancellation. Other completions
    ///     wait for it to return, so it should be short.
    package func fetch(
        _ source: Source, known: CachedOriginal?, refused: RefusedContent? = nil, wait: RetryAfter? = nil,
        options: FetchOptions? = nil, completion: @escaping @Sendable (FetchOutcome) -> Void
    ) -> FetchHandle {
        fetch(
            source, known: known, refused: refused, wait: wait, options: options, reusing: { _ in true },
            completion: completion)
    }

    /// Fetches a source again whose original was lost after the first fetch. The first caller sends a new request,
    /// unless the fetch had failed.
    package func fetchAgain(
        _ source: Source, options: FetchOptions? = nil, completion: @escaping @Sendable (FetchOutcome) -> Void
    ) -> FetchHandle {
        fetch(
            source, known: nil, refused: nil, wait: nil, options: options,
            reusing: { [store] outcome in outcome.known.map { store.contains($0.original) } ?? true },
            completion: completion)
    }

    /// Whether an original is in the store as it arrived. A damaged original is removed. An original that this build
    /// has stored itself is not checked again.
    package func hasIntact(_ digest: Digest) throws(DownloadsError) -> Bool {
        try store.isIntact(digest, unlessWrittenSince: startedAt)
    }

    private func fetch(
        _ source: Source, known: CachedOriginal?, refused: RefusedContent?, wait: RetryAfter?, options: FetchOptions?,
        reusing isGood: (FetchOutcome) -> Bool, completion: @escaping @Sendable (FetchOutcome) -> Void
    ) -> FetchHandle {
        switch source.location {
        case .file(let path):
            let (subscription, isFirst) = fetches.join(source.location, reusing: isGood, completion: completion)
            if isFirst, let subscription { files.start(subscription.fetch, path: path, source: source, known: known) }
            return FetchHandle(subscription, in: fetches, transfers)
        case .remote(let url):
            return fetch(
                url, known: known, refused: refused, wait: wait, options: options, reusing: isGood,
                completion: completion)
        }
    }

    private func fetch(
        _ url: String, known: CachedOriginal?, refused: RefusedContent?, wait: RetryAfter?, options: FetchOptions?,
        reusing isGood: (FetchOutcome) -> Bool, completion: @escaping @Sendable (FetchOutcome) -> Void
    ) -> FetchHandle {
        do {
            let address = try RemoteAddress(url)
            let (subscription, isFirst) = fetches.join(.remote(address.url), reusing: isGood, completion: completion)
            guard isFirst, let subscription else { return FetchHandle(subscription, in: fetches, transfers) }
            let (now, options) = (clock.now, options ?? self.options(of: address))
            if let known, known.metadata.isFresh(at: now, options.maxAge), store.contains(known.original) {
                tally.add { $0.fresh += 1 }
                fetches.finish(subscription.fetch, with: .unchanged(known))
            } else if let wait, wait.isActive(at: now) {
                fetches.finish(subscription.fetch, with: .postponed(wait))
            } else {
                transfers.start(
                    TransferRequest(
                        subscription.fetch, of: address, known: known, refused: refused, options: options, from: store))
            }
            return FetchHandle(subscription, in: fetches, transfers)
        } catch {
            let (subscription, isFirst) = fetches.join(.remote(url), completion: completion)
            if isFirst, let subscription { fetches.finish(subscription.fetch, with: .failed(error)) }
            return FetchHandle(nil, in: fetches, transfers)
        }
    }

    /// Treats these addresses as written on this machine in all later fetches without options of their own.
    ///
    /// - Parameter servers: further addresses, each with the ports of its host to which this applies.
    package func treatAsLocallyListed(_ addresses: Set<RequestKey>, at servers: [RequestKey: Set<Int>] = [:]) {
        locallyListed.withLock { $0 = (addresses, servers) }
    }

    private func options(of address: RemoteAddress) -> FetchOptions {
        guard !options.policy.isLocallyListed else { return options }
        let asked = RequestKey(address)
        var options = options
        locallyListed.withLock { listed in
            let ports = listed.servers[asked]
            let isNamed = listed.addresses.contains(asked)
            guard isNamed || ports != nil else { return }
            options.policy.isLocallyListed = true
            options.policy.ports = isNamed ? nil : ports
        }
        return options
    }

    /// Starts no new transfer until `resume()`. Running transfers continue.
    package func suspend() {
        transfers.suspend()
        files.suspend()
    }

    package func resume() {
        transfers.resume()
        files.resume()
    }

    /// Releases the outcomes of finished fetches. A later request for one of their addresses is a new fetch.
    package func discardOutcomes() { fetches.discardOutcomes() }

    /// Answers every open fetch with `.cancelled`, and ends its transfer. New fetches can be started after this.
    package func cancelAll() {
        fetches.cancelAll()
        transfers.dropUnwanted()
    }

    /// Cancels everything as `cancelAll()` does, for good. Returns when all fetches have been answered, the threads
    /// have ended, and no connection or temporary file is left. If a completion calls this, it does not wait for
    /// itself. Repeated calls are allowed.
    package func shutdown() {
        fetches.close(answering: .cancelled)
        transfers.stop()
        files.stop()
        fetches.waitForDeliveries()
    }

    package var statistics: TransferStatistics { tally.current }

    /// The transfer that has been running longest; nil if none is running.
    package var oldestTransfer: RunningTransfer? { tally.oldest }

    deinit { shutdown() }
}
