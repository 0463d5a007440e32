internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// The records of earlier builds, for a command that only reads: nothing is written, and no ledger is set aside.
struct BuildHistory {
    /// nil if there is no ledger, or none that can be used.
    private(set) var ledger: Ledger?
    private(set) var snapshot = LedgerSnapshot()
    /// The ledger's row of the output folder, with its files; nil if the ledger does not know the folder.
    private(set) var site: SiteRow?
    /// nil for an empty history.
    private let output: String?

    /// The history of a gallery that nothing is known of.
    init() { output = nil }

    /// - Parameter warn: called for a ledger that a build would set aside; the history is empty then.
    /// - Throws: `GalleryError` for a ledger that a build would not set aside either.
    init(_ options: BuildOptions, warn: (String) -> Void) throws(GalleryError) {
        output = options.output
        let path = options.state.ledger
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            guard let ledger = try Ledger(reading: path, place: options.place) else { return }
            // All of it is read here, as a build would set one aside that is damaged.
            let site = try ledger.site(output: options.output)
            snapshot = try ledger.snapshot()
            (self.ledger, self.site) = (ledger, site)
        } catch .unreadable(let path, let detail) {
            warn("\(path): \(detail)")
        } catch {
            throw GalleryError(error)
        }
    }

    /// Takes photos that no ledger knows from the published site, as a build does.
    mutating func recoverPhotos(of list: PhotoList) throws(GalleryError) {
        guard let output, snapshot.photos.isEmpty else { return }
        do {
            snapshot.photos = try PublishedSite(in: output)?.rows(for: list) ?? [:]
        } catch {
            throw .site(error)
        }
    }
}
