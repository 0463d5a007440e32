internal import Ledger
internal import Manifest
internal import PhotoModel

/// The photos of a gallery whose addresses have moved permanently, by the last answers of their servers. No server is
/// contacted, and nothing is written.
package struct MovedPhotos: Sendable {
    package struct Move: Sendable {
        package let name: String
        /// The address in the list, resolved: an absolute URL with all its parts. It is never shown, because it can
        /// contain secrets.
        package let old: String
        /// The address to which the photo has moved, without user, query and fragment.
        package let new: String
        /// Whether the new address had a query. The ledger does not store queries, because they can be secret.
        package let isIncomplete: Bool
    }

    package let moves: [Move]

    /// - Parameter warn: a closure that is called if the ledger is so damaged that a build would set it aside.
    package init(_ options: BuildOptions, warn: (String) -> Void) throws(GalleryError) {
        var options = options
        options.allowsEmpty = true
        let history = try BuildHistory(options, warn: warn)
        let gallery = try GalleryInspection(options, history: history, remote: .lastGood)
        let sources = gallery.history.snapshot.sources
        moves = gallery.records().compactMap { record in
            guard case .remote(let old) = record.source?.location, let row = record.remembered,
                // A server can redirect whatever it no longer has to a page about that.
                row.state != .failed, row.stale == nil,
                let source = record.sourceKey.flatMap({ sources[$0] }), source.refusal == nil, let new = source.moved
            else { return nil }
            return Move(
                name: record.photo.name, old: old, new: new.hasSuffix("?") ? String(new.dropLast()) : new,
                isIncomplete: new.hasSuffix("?"))
        }
    }
}
