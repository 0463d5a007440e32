internal import GRDB
package import PhotoModel

/// The originals and derivatives that the photos of all galleries refer to, and the addresses that no photo has.
package struct References: Sendable {
    /// The originals that are shown, that the address of a photo delivered, or that are kept as earlier versions.
    package var originals: Set<Digest> = []
    /// The file names of published pictures.
    package var pictures: Set<String> = []
    /// The keys of the photos' addresses.
    package var sources: Set<Digest> = []
    /// The originals of addresses that belong to no photo, by the keys of the addresses. Manifests are among them.
    package var others: [Digest: Digest] = [:]
}

extension Ledger {
    /// The references of the photos of all galleries, not only of the gallery that this ledger was opened for.
    /// - Parameter forgotten: the galleries that are left out.
    package func references(except forgotten: [KnownGallery] = []) throws(LedgerError) -> References {
        let left = Set(forgotten.map(\.key))
        return try read { database in
            var references = References()
            for gallery in try LedgerReader.galleries(database) where !left.contains(gallery) {
                for photo in try LedgerReader.photos(database, gallery: gallery).values {
                    if let original = photo.sha256 { references.originals.insert(original) }
                    references.originals.formUnion(photo.versions.map(\.original))
                    if let source = photo.source { references.sources.insert(source) }
                    references.pictures.formUnion(photo.pictures.map(\.fileName))
                }
            }
            for (key, source) in try LedgerReader.sources(database) {
                guard let original = source.sha256 else { continue }
                if references.sources.contains(key) {
                    references.originals.insert(original)
                } else {
                    references.others[key] = original
                }
            }
            return references
        }
    }

    /// The file names of the pictures of all other galleries in this ledger.
    package func picturesOfOthers() throws(LedgerError) -> Set<String> {
        try read { database in
            var pictures: Set<String> = []
            for other in try LedgerReader.galleries(database) where other != gallery {
                for photo in try LedgerReader.photos(database, gallery: other).values {
                    pictures.formUnion(photo.pictures.map(\.fileName))
                }
            }
            return pictures
        }
    }

    /// Whether photos of other galleries are recorded.
    package func hasOtherGalleries() throws(LedgerError) -> Bool {
        try read { try LedgerReader.galleries($0).contains { $0 != gallery } }
    }

    /// Removes the rows of addresses, and the facts of originals.
    package func forget(sources: some Sequence<Digest>, originals: some Sequence<Digest>) throws(LedgerError) {
        try write { change in
            for key in sources {
                try change.delete(SourceRecord.self, [key])
                try change.delete(LocationRecord.self, [key])
            }
            for digest in originals { try change.delete(OriginalRow.self, [digest]) }
        }
    }
}
