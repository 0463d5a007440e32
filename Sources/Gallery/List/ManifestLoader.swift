internal import Ledger

/// Reads the manifests of a build. Those that are all on this machine are read before the ledger is, and beside it;
/// nobody holds this longer than he needs it, as a manifest may be large.
struct ManifestLoader {
    private let options: BuildOptions
    /// Parallel to the manifests: the bytes of those that are on this machine.
    private let local: [[UInt8]?]
    private let list: BackgroundTask<(PhotoList, LedgerKeys)>?
    private let isCancelled: @Sendable () -> Bool

    /// - Parameter isCancelled: asked again and again; the reading then ends with `GalleryError.interrupted`.
    /// - Throws: `GalleryError.manifestUnreachable` for one that should be on this machine.
    init(_ options: BuildOptions, isCancelled: @escaping @Sendable () -> Bool) throws(GalleryError) {
        self.options = options
        self.isCancelled = isCancelled
        local = try ManifestInput.localBytes(of: options.manifests, isCancelled: isCancelled)
        let bytes = local.compactMap(\.self)
        guard bytes.count == options.manifests.count else {
            list = nil
            return
        }
        let inputs = zip(options.manifests, bytes).map { ManifestBytes(origin: $0.origin, bytes: $1) }
        list = BackgroundTask { () throws(GalleryError) in try Self.read(inputs, options, isCancelled) }
    }

    private static func read(
        _ inputs: [ManifestBytes], _ options: BuildOptions, _ isCancelled: @escaping () -> Bool
    ) throws(GalleryError) -> (PhotoList, LedgerKeys) {
        let list = try PhotoList(inputs, allowsEmpty: options.allowsEmpty, isCancelled: isCancelled)
        if isCancelled() { throw .interrupted }
        return (list, LedgerKeys(list.manifest))
    }

    /// Fetches what is not on this machine; what came anew is recorded once it has proved to be a manifest.
    consuming func finish(
        _ fetch: ManifestFetch, recordingIn ledger: Ledger
    ) throws(GalleryError) -> (PhotoList, LedgerKeys, SiteInputs) {
        let read: [ManifestBytes]
        do throws(GalleryError) {
            read = try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
                try fetch.fetch(input)
            }
        } catch {
            try record(fetch.postponed, in: ledger)
            throw error
        }
        try record(fetch.postponed, in: ledger)
        let (list, keys) = if let list { try list.value() } else { try Self.read(read, options, isCancelled) }
        try record(fetch.fetched, in: ledger)
        return (list, keys, try LoadedManifests(list: list, bytes: read).siteInputs(options))
    }

    private func record(_ entries: [LedgerEntry], in ledger: Ledger) throws(GalleryError) {
        guard !entries.isEmpty else { return }
        do {
            try ledger.record(entries)
        } catch {
            throw GalleryError(error)
        }
    }
}
