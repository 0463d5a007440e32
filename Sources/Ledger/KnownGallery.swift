internal import GRDB

/// A gallery that the ledger remembers, as it is shown to people.
package struct KnownGallery: Hashable, Sendable {
    /// The ledger's own name for it.
    package let key: String
    /// Paths and addresses of its manifests, as they were at its last build; empty where no build since version 9 of
    /// the ledger has recorded them.
    package let manifests: [String]
    /// The absolute path of its output folder, likewise.
    package let output: String?
    package let photos: Int
}

extension Ledger {
    /// All that are remembered, in the order of their manifests.
    package func galleries() throws(LedgerError) -> [KnownGallery] {
        try read { database in
            let places = try Rows.places(database)
            return try Rows.galleries(database).map { key in
                let place = places[key]
                return KnownGallery(
                    key: key, manifests: place?.manifests.split(separator: "\n").map(String.init) ?? [],
                    output: place?.output, photos: Int(clamping: try Total.recorded(.photo, key, database).rows))
            }.sorted { ($0.manifests.first ?? "~", $0.key) < ($1.manifests.first ?? "~", $1.key) }
        }
    }

    /// The keys that a gallery with these manifests has in this ledger, or had in an older one.
    package func keys(of place: GalleryPlace) -> Set<String> { [place.key(paths), place.absoluteKey] }

    /// Forgets a gallery and its output folder: its photos, albums, and which files of the site are ours.
    package func forget(_ gallery: KnownGallery) throws(LedgerError) {
        try write { change in
            try Recording.forget(gallery: gallery.key, &change)
            guard let output = gallery.output.map({ paths.name(of: $0) }) else { return }
            try Recording.forget(output: output, &change)
            try change.remove(.place, key: .string(output))
        }
    }
}
