internal import Downloads
internal import Ledger
internal import Manifest

/// A gallery as it is before a build: its manifests, and what the ledger and the published site remember of it. The
/// commands that only report begin with it. Nothing is written, except for remote manifests in a temporary folder.
struct GalleryInspection {
    /// How manifests with a URL are read.
    enum RemoteManifests {
        /// The manifests are fetched; while a URL fails, its last good copy is used, as in a build.
        case fetchedOrLastGood
        /// The last good copy. No server is asked.
        case lastGood
    }

    let manifests: LoadedManifests
    let history: BuildHistory
    private let options: BuildOptions

    var list: PhotoList { manifests.list }

    /// - Parameters:
    ///   - history: what earlier builds left; nothing for a command that only reads manifests.
    ///   - warn: called for a manifest whose last good copy is used.
    /// - Throws: `GalleryError` for what would also stop a build before it begins.
    init(
        _ options: BuildOptions, history: BuildHistory = BuildHistory(), remote: RemoteManifests,
        warn: (String) -> Void = { _ in }
    ) throws(GalleryError) {
        var history = history
        let local = try ManifestInput.localBytes(of: options.manifests)
        let bytes = try Self.read(options, local, remote, history.snapshot, warn)
        let list = try PhotoList(bytes, allowsEmpty: options.allowsEmpty)
        try history.recoverPhotos(of: list)
        (self.options, self.history, manifests) = (options, history, LoadedManifests(list: list, bytes: bytes))
    }

    /// The list's photos with what is remembered of each.
    func records() -> [PhotoRecord] { list.records(options: options.derivatives, snapshot: history.snapshot) }

    private static func read(
        _ options: BuildOptions, _ local: [[UInt8]?], _ remote: RemoteManifests, _ snapshot: LedgerSnapshot,
        _ warn: (String) -> Void
    ) throws(GalleryError) -> [ManifestBytes] {
        let store = OriginalStore(reading: options.state.originals)
        let scratch = ScratchDownloads(options)
        defer { scratch.remove() }
        return try ManifestInput.read(options.manifests, local: local) { input throws(GalleryError) in
            switch remote {
            case .lastGood: return try input.keptCopy(in: store, snapshot)
            case .fetchedOrLastGood: break
            }
            do throws(GalleryError) {
                return try scratch.fetch(input, after: snapshot)
            } catch .manifestUnreachable(let shown, let detail) {
                guard let copy = try input.lastGoodCopy(in: store, snapshot) else {
                    throw .manifestUnreachable(shown: shown, detail: detail)
                }
                warn("\(shown): \(detail) Using the last good copy.")
                return copy
            }
        }
    }
}
