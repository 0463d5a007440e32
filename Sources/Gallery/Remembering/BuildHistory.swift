internal import Ledger
internal import PhotoModel
internal import Site

/// The ledger's records of earlier builds, for a command that only reads. Nothing is written, and no ledger is set
/// aside.
struct BuildHistory {
    /// The ledger; nil if it does not exist or can't be used.
    private(set) var ledger: Ledger?
    private(set) var snapshot = LedgerSnapshot()
    /// The ledger's row of the output folder, with its files; nil if the ledger does not know the folder.
    private(set) var site: SiteRow?
    /// The output folder; nil for an empty history.
    private let output: String?

    /// An empty history, for a gallery without a ledger.
    init() { output = nil }

    /// - Parameter warn: a closure that is called if the ledger is so damaged that a build would set it aside. The
    ///   history is empty then.
    /// - Throws: `GalleryError` for any other problem with the ledger.
    init(_ options: BuildOptions, warn: (String) -> Void) throws(GalleryError) {
        output = options.output
        let path = options.state.ledger
        do {
            guard let ledger = try Ledger(reading: path, identity: options.identity) else { return }
            // The site's row and the snapshot are read in full here, so that damage shows before the ledger is used.
            let site = try ledger.site(output: options.output)
            snapshot = try ledger.snapshot()
            (self.ledger, self.site) = (ledger, site)
        } catch .unreadable(let path, let detail) {
            warn("\(path): \(detail)")
        } catch {
            throw GalleryError(error)
        }
    }

    /// Recovers the photos from the published site if no ledger knows any, as a build does.
    mutating func recoverPhotos(of list: PhotoList) throws(GalleryError) {
        guard let output, snapshot.photos.isEmpty else { return }
        do {
            snapshot.photos = try PublishedSite(in: output)?.rows(for: list) ?? [:]
        } catch {
            throw .site(error)
        }
    }
}
