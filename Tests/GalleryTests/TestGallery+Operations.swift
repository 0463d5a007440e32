import Downloads
import Gallery
import Imaging
import Ledger
import PhotoModel
import Testing

extension TestGallery {
    /// Services with an empty ledger for operations of this gallery.
    /// - Parameter downloads: the most downloads at the same time; nil for those of `options`.
    func services(
        budget: MemoryBudget? = nil, downloads: Int? = nil, needMemory: (@Sendable () -> Void)? = nil
    ) throws -> BuildServices {
        var options = try self.options()
        if let downloads { options.limits.total = downloads }
        try options.state.create()
        let store = try OriginalStore.opening(options.state.originals)
        return BuildServices(
            store: store,
            downloader: try Downloader.starting(store, options: options),
            derivatives: DerivativeCache(
                folder: options.state.derivatives, published: options.output + "/images", snapshot: LedgerSnapshot()),
            ledger: try Ledger(path: options.state.ledger, gallery: "test"), snapshot: LedgerSnapshot(),
            budget: budget ?? MemoryBudget(limit: options.memory), now: options.now.seconds, needMemory: needMemory)
    }

    /// The records of all photos, none of which is known.
    func records() throws -> [PhotoRecord] {
        let options = try self.options()
        let input = try #require(options.manifests.first)
        let list = try PhotoList(
            [ManifestBytes(origin: input.origin, bytes: try #require(try input.localBytes()))], allowsEmpty: true)
        return list.records(options: options.derivatives, snapshot: LedgerSnapshot())
    }
}
