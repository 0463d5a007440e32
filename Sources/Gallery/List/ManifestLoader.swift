internal import Ledger

/// Reads the manifests of a build. If all of them are on this machine, they are parsed in the background while the
/// ledger is opened. The callers consume this value as soon as they can, because a manifest can be large.
struct ManifestLoader {
    private let options: BuildOptions
    /// The bytes of the local manifests, parallel to all manifests; nil for a remote one.
    private let local: [[UInt8]?]
    private let list: BackgroundTask<(PhotoList, LedgerKeys)>?
    private let isCancelled: @Sendable () -> Bool

    /// - Parameter isCancelled: whether the build was cancelled. It is polled; if it is true, reading ends with
    ///   `GalleryError.interrupted`.
    /// - Throws: `GalleryError.manifestUnreachable` for a local manifest that can't be read.
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

    static func read(
        _ inputs: [ManifestBytes], _ options: BuildOptions, _ isCancelled: @escaping () -> Bool
    ) throws(GalleryError) -> (PhotoList, LedgerKeys) {
        let list = try PhotoList(inputs, allowsEmpty: options.allowsEmpty, isCancelled: isCancelled)
        if isCancelled() { throw .interrupted }
        return (list, LedgerKeys(list.manifest))
    }

    /// Fetches the remote manifests. New copies are recorded in the ledger only when they have proved to be manifests.
    consuming func finish(
        _ fetch: ManifestFetch, recordingIn ledger: Ledger
    ) throws(GalleryError) -> (PhotoList, LedgerKeys, SiteInputs) {
        let options = options
        let (list, keys, bytes) = try load(fetch, recordingIn: ledger)
        return (list, keys, try LoadedManifests(list: list, bytes: bytes).siteInputs(options))
    }

    /// Fetches the remote manifests, as `finish` does.
    /// - Returns: the list, its keys, and the bytes of all manifests.
    consuming func load(
        _ fetch: ManifestFetch, recordingIn ledger: Ledger
    ) throws(GalleryError) -> (PhotoList, LedgerKeys, [ManifestBytes]) {
        let read: [ManifestBytes]
        do throws(GalleryError) {
            read = try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
                try fetch.fetch(input)
            }
        } catch {
            try Self.record(fetch.postponed, in: ledger)
            throw error
        }
        try Self.record(fetch.postponed, in: ledger)
        let (list, keys) = if let list { try list.value() } else { try Self.read(read, options, isCancelled) }
        try Self.record(fetch.fetched, in: ledger)
        return (list, keys, read)
    }

    static func record(_ entries: [LedgerEntry], in ledger: Ledger) throws(GalleryError) {
        guard !entries.isEmpty else { return }
        do {
            try ledger.record(entries)
        } catch {
            throw GalleryError(error)
        }
    }
}
