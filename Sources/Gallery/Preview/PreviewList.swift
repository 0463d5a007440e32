internal import Downloads
internal import Ledger

/// The list of a gallery in a preview, together with the manifests that it was read from.
struct PreviewList: Sendable {
    let photos: PhotoList
    let keys: LedgerKeys
    /// The bytes of the manifests on this machine, parallel to all manifests; nil for each with a URL.
    let local: [[UInt8]?]
    /// The manifests with a URL, as they arrived last.
    private let remote: [ManifestInput: ManifestBytes]

    /// Reads the manifests. Those with a URL are requested, unless all of them are known.
    /// - Parameters:
    ///   - known: an earlier list of the gallery.
    ///   - ledger: the preview's own ledger.
    ///   - isCancelled: whether the preview is to end. It is polled while a manifest is requested; if it is true,
    ///     reading ends with `GalleryError.interrupted`.
    /// - Throws: `GalleryError` if the list can't be used.
    init(
        _ options: BuildOptions, after known: PreviewList?, ledger: Ledger,
        isCancelled: @escaping @Sendable () -> Bool, warn: @escaping (String) -> Void
    ) throws(GalleryError) {
        let inputs = options.manifests.filter { $0.source != nil }
        if inputs.allSatisfy({ known?.remote[$0] != nil }) {
            try self.init(options, remote: known?.remote ?? [:], isCancelled: isCancelled)
            return
        }
        // `PreviewGallery` warns of a damaged ledger.
        let snapshot = try LedgerSnapshot.ofPreview(ledger, options, warn: { _ in })
        let store = try OriginalStore.opening(options.state.preview.originals)
        let downloader = try Downloader.starting(store, options: options)
        defer { downloader.shutdown() }
        let fetch = ManifestFetch(
            downloader: downloader, store: store, snapshot: snapshot, warn: warn, isCancelled: isCancelled)
        let loader = try ManifestLoader(options, isCancelled: isCancelled)
        let (photos, keys, manifests) = try loader.load(fetch, recordingIn: ledger)
        let pairs = zip(options.manifests, manifests)
        self.init(
            photos: photos, keys: keys, local: pairs.map { $0.source == nil ? $1.bytes : nil },
            remote: Dictionary(pairs.filter { $0.0.source != nil }) { first, _ in first })
    }

    /// - Parameter remote: the manifests with a URL.
    private init(
        _ options: BuildOptions, remote: [ManifestInput: ManifestBytes],
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(GalleryError) {
        let local = try ManifestInput.localBytes(of: options.manifests, isCancelled: isCancelled)
        let manifests = try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
            guard let manifest = remote[input] else { throw .bug("a manifest with a URL was not requested") }
            return manifest
        }
        let (photos, keys) = try ManifestLoader.read(manifests, options, isCancelled)
        self.init(photos: photos, keys: keys, local: local, remote: remote)
    }

    private init(
        photos: PhotoList, keys: LedgerKeys, local: [[UInt8]?], remote: [ManifestInput: ManifestBytes]
    ) {
        (self.photos, self.keys, self.local, self.remote) = (photos, keys, local, remote)
    }

    /// Requests the manifests with a URL again. One that fails counts as unchanged.
    /// - Parameter options: the options that the list was read with.
    /// - Returns: the new list, or nil if it is the same; and whether each manifest has arrived or was confirmed.
    /// - Throws: the error of a list that can't be used; `GalleryError.interrupted` if the preview is to end.
    func requestedAgain(
        _ options: BuildOptions, ledger: Ledger, isCancelled: @escaping @Sendable () -> Bool
    ) throws(GalleryError) -> (list: PreviewList?, isConfirmed: Bool) {
        let store = try OriginalStore.opening(options.state.preview.originals)
        // A downloader requests an address only once.
        let downloader = try Downloader.starting(store, options: options)
        defer { downloader.shutdown() }
        // The first reading has already warned of an address that fails.
        let fetch = ManifestFetch(
            downloader: downloader, store: store, snapshot: try LedgerSnapshot.of(ledger), warn: { _ in },
            isCancelled: isCancelled, revalidatesAlways: true)
        let result = Result { () throws(GalleryError) -> ([ManifestInput: ManifestBytes], Bool) in
            var manifests = self.remote
            var isConfirmed = true
            for input in options.manifests where input.source != nil {
                if let manifest = try Self.arrived(input, fetch) {
                    manifests[input] = manifest
                } else {
                    isConfirmed = false
                }
            }
            return (manifests, isConfirmed)
        }
        try ManifestLoader.record(fetch.postponed, in: ledger)
        let (remote, isConfirmed) = try result.get()
        let list = remote == self.remote ? nil : try PreviewList(options, remote: remote, isCancelled: isCancelled)
        try ManifestLoader.record(fetch.fetched, in: ledger)
        return (list, isConfirmed)
    }

    /// - Returns: nil if the address fails.
    private static func arrived(_ input: ManifestInput, _ fetch: ManifestFetch) throws(GalleryError) -> ManifestBytes? {
        do throws(GalleryError) {
            let manifest = try fetch.fetch(input)
            return fetch.hasArrived(input) ? manifest : nil
        } catch .manifestUnreachable {
            return nil
        }
    }
}
