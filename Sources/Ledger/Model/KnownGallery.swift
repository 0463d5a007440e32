internal import GRDB
internal import PhotoModel

/// A gallery in the ledger, in a form for people.
package struct KnownGallery: Hashable, Sendable {
    /// The ledger's key of the gallery.
    package let key: String
    /// The paths and URLs of its manifests. A path that the ledger stores relative to the state folder is resolved
    /// against the current state folder, so it is right if both were moved together. All others are those of the last
    /// build. The list is empty if no build since version 9 of the ledger has recorded them.
    package let manifests: [String]
    /// The absolute path of its output folder, resolved in the same way.
    package let output: String?
    package let photos: Int
    let outputName: String?
    /// The absolute path of the output folder at the last build, and the key that the gallery has by absolute paths.
    let absoluteOutput: String?
    let absoluteKey: String?
}

extension Ledger {
    /// All galleries in the ledger, sorted by their manifests.
    package func galleries() throws(LedgerError) -> [KnownGallery] {
        try read { database in
            let places = try LedgerReader.places(database)
            return try LedgerReader.galleries(database).map { key in
                let row = places[ExactText(key)]
                let output = row.map { paths.storedPath(of: $0.output) }
                return KnownGallery(
                    key: key,
                    manifests: row?.manifests.split(separator: "\n").map { paths.path(of: String($0)) } ?? [],
                    output: output.map { paths.path(of: $0) },
                    photos: Int(
                        clamping: try TableTotal.recorded(PhotoTableRecord.databaseTableName, key, database).rows),
                    outputName: output, absoluteOutput: output.flatMap { places[ExactText($0)]?.absolute },
                    absoluteKey: row?.absolute)
            }.sorted { ($0.manifests.first ?? "~", $0.key) < ($1.manifests.first ?? "~", $1.key) }
        }
    }

    /// Whether a gallery has exactly these manifests, at their current places or at those of its last build.
    package func has(_ gallery: KnownGallery, manifests: [GalleryIdentity.Manifest]) -> Bool {
        let identity = GalleryIdentity(manifests: manifests, output: "")
        // In version 8, the key was that of absolute paths.
        return [identity.key(paths), identity.absoluteKey].contains(gallery.key)
            || gallery.absoluteKey == identity.absoluteKey
    }

    /// Whether a path is one of a gallery's manifests.
    package func has(_ gallery: KnownGallery, manifest path: String) -> Bool {
        gallery.manifests.contains { paths.storedPath(of: $0) == paths.storedPath(of: path) }
    }

    /// Whether a gallery publishes to the folder at a path, or did so at its last build.
    package func publishes(_ gallery: KnownGallery, to path: String) -> Bool {
        gallery.outputName == paths.storedPath(of: path) || gallery.absoluteOutput == path
    }

    /// Removes a gallery: its photos and albums, and the list of its site's files, unless another gallery publishes to
    /// the same folder.
    package func forget(_ gallery: KnownGallery) throws(LedgerError) {
        try write { change in
            try LedgerWriter.forget(gallery: gallery.key, &change)
            guard let output = gallery.outputName else { return }
            let places = try LedgerReader.places(change.flushed()).values
            // The row of an output folder itself has no `output`.
            if places.contains(where: {
                !$0.output.isEmpty && ExactText(paths.storedPath(of: $0.output)) == ExactText(output)
            }) {
                return
            }
            try LedgerWriter.forget(output: output, &change)
            try change.delete(PlaceRow.self, [output])
        }
    }
}
