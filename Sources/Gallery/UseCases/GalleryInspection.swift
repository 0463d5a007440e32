internal import Downloads
internal import Ledger
internal import Manifest

/// A gallery before a build: its manifests, and its state according to the ledger and the published site. Commands that
/// only report use it. Nothing is written, except for remote manifests in a temporary folder.
struct GalleryInspection {
    /// How manifests with a URL are read.
    enum RemoteManifests {
        /// The manifests are fetched. As in a build, the last good copy is used if a URL fails.
        case fetchedOrLastGood
        /// The last good copies are used. No server is contacted.
        case lastGood
    }

    let manifests: LoadedManifests
    let history: BuildHistory
    private let options: BuildOptions

    var list: PhotoList { manifests.list }

    /// - Parameters:
    ///   - history: the records of earlier builds; empty for a command that only reads manifests.
    ///   - preview: a preview whose copies of manifests a build would take over.
    ///   - interruption: removes the temporary folder if a signal ends the command.
    ///   - warn: a closure that is called with a message for each manifest whose last good copy is used.
    /// - Throws: `GalleryError` for a problem that would also stop a build before it begins.
    init(
        _ options: BuildOptions, history: BuildHistory = BuildHistory(), preview: PreviewSnapshot? = nil,
        remote: RemoteManifests, interruption: ScratchInterruption = ScratchInterruption(),
        warn: (String) -> Void = { _ in }
    ) throws(GalleryError) {
        var history = history
        let local = try ManifestInput.localBytes(of: options.manifests)
        let bytes = try Self.read(options, local, remote, history.snapshot, preview, interruption, warn)
        let list = try PhotoList(bytes, allowsEmpty: options.allowsEmpty)
        try history.recoverPhotos(of: list)
        (self.options, self.history, manifests) = (options, history, LoadedManifests(list: list, bytes: bytes))
    }

    /// The records of the list's photos, each with its row in the ledger.
    func records() -> [PhotoRecord] {
        list.records(
            options: options.derivatives, snapshot: history.snapshot, keys: LedgerKeys(list.manifest),
            expectedChange: options.expectedChange, accepted: options.accepted, versions: options.versions)
    }

    private static func read(
        _ options: BuildOptions, _ local: [[UInt8]?], _ remote: RemoteManifests, _ snapshot: LedgerSnapshot,
        _ preview: PreviewSnapshot?, _ interruption: ScratchInterruption, _ warn: (String) -> Void
    ) throws(GalleryError) -> [ManifestBytes] {
        let store = OriginalStore(reading: options.state.originals)
        let scratch = ScratchDownloads(options, interruption: interruption)
        defer { scratch.remove() }
        return try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
            switch remote {
            case .lastGood: return try input.requiredLastGoodCopy(in: store, snapshot)
            case .fetchedOrLastGood: break
            }
            return try scratch.fetchOrLastGood(input, after: snapshot, warn: warn) { () throws(GalleryError) in
                if let later = try preview?.lastGoodCopy(of: input, after: snapshot) { return later }
                return try input.lastGoodCopy(in: store, snapshot)
            }
        }
    }
}
