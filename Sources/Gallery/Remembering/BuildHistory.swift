internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site

/// The records of earlier builds for a command that only reads: it writes nothing, and sets no ledger aside.
struct BuildHistory {
    /// nil where there is none, or none that can be used.
    private(set) var ledger: Ledger?
    private(set) var snapshot = LedgerSnapshot()
    /// With its files.
    private(set) var site: SiteRow?
    private let output: String

    /// - Parameter warn: told of a ledger that a build would set aside; nothing is remembered then.
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

    /// As in a build, facts that no ledger has are taken from the site.
    func earlierRows(of list: PhotoList) throws(GalleryError) -> [Digest: PhotoRow] {
        do {
            return try PublishedSite(in: output)?.rows(for: list) ?? [:]
        } catch {
            throw .site(error)
        }
    }
}
