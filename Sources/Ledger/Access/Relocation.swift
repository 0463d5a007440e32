internal import Foundation
internal import GRDB
internal import PhotoModel

/// Finds the rows of a gallery that was moved, or whose state folder was moved, and records its new place.
///
/// A gallery and its output folder are identified by their paths relative to the state folder, so that everything can
/// be moved together. A state folder can also have been moved alone, even next to another gallery. So if an output
/// folder has another absolute path than before, and its pages are not the recorded ones, it counts as another folder.
struct Relocation {
    let identity: GalleryIdentity
    let paths: StoredPaths

    private var gallery: String { identity.key(paths) }
    private var output: String { paths.storedPath(of: identity.output) }

    private var rows: [PlaceRow] {
        [
            PlaceRow(
                name: gallery, absolute: identity.absoluteKey, manifests: identity.shown(paths), output: output),
            PlaceRow(name: output, absolute: identity.output),
        ]
    }

    /// Whether the gallery has been moved, or is not recorded under its key.
    func isNeeded(_ database: Database) throws -> Bool {
        let places = try LedgerReader.places(database)
        return rows.contains { places[ExactText($0.name)] != $0 }
    }

    func run(_ database: Database) throws {
        let places = try LedgerReader.places(database)
        guard rows.contains(where: { places[ExactText($0.name)] != $0 }) else { return }
        var change = LedgerTransaction(database)
        let origin = try findOutput(places, &change)
        try findGallery(places, movedFrom: origin, &change)
        try forgetEarlierLocations(places, &change)
        for row in rows { try change.save(row) }
        try change.flushed()
    }

    /// Finds the rows of the output folder.
    /// - Returns: the earlier path of the output folder, if it was moved and is certainly the same folder.
    private func findOutput(_ places: [ExactText: PlaceRow], _ change: inout LedgerTransaction) throws -> String? {
        let database = try change.flushed()
        let outputs = try LedgerReader.outputs(database)
        if outputs.contains(ExactText(output)) {
            guard let earlier = places[ExactText(output)]?.absolute, !paths.isSamePath(earlier, identity.output) else {
                return nil
            }
            guard try compare(with: output, database) == .another else { return earlier }
            try LedgerWriter.forget(output: output, &change)
            return nil
        }
        for name in outputs {
            let earlier = places[name]?.absolute ?? paths.path(of: name.text)
            let isHere = paths.isSamePath(earlier, identity.output)
            guard try isHere || (StoredPaths.isGone(earlier) && compare(with: name.text, database) == .same) else {
                continue
            }
            try LedgerWriter.rename(output: name.text, to: output, &change)
            return isHere ? nil : earlier
        }
        return nil
    }

    /// Whether the files in the output folder are those of a recorded folder.
    private enum Comparison {
        case same, another
        /// There are no files to compare.
        case unknown
    }

    /// Compares pages in the output folder with the recorded pages of a folder. A single equal page proves that the
    /// folder is the same, because the others might have been changed or removed since.
    private func compare(with name: String, _ database: Database) throws -> Comparison {
        // These two files are equal only if all photos are. If they are not, the other pages can still prove that the
        // folder is the same.
        let first = ["index.html", "status.json"]
        var comparison = Comparison.unknown
        for path in first {
            guard let file = try LedgerReader.owned(database, output: name, path: path),
                let isSame = compare(file, at: path)
            else { continue }
            if isSame { return .same }
            comparison = .another
        }
        let files = try LedgerReader.site(database, output: name, withFiles: true)?.owned ?? [:]
        let pages = files.filter { $0.key.hasSuffix(".html") && $0.key != first[0] }
        for (path, file) in pages {
            guard let isSame = compare(file, at: path) else { continue }
            if isSame { return .same }
            comparison = .another
        }
        return comparison
    }

    /// - Returns: nil if there is no such file in the output folder, or if its recorded content is unknown.
    private func compare(_ file: OwnedFile, at path: String) -> Bool? {
        guard let digest = file.digest ?? file.replacedDigest,
            let bytes = FileManager.default.contents(atPath: identity.output + "/" + path)
        else { return nil }
        return Digest(of: [UInt8](bytes)) == digest
    }

    private func findGallery(
        _ places: [ExactText: PlaceRow], movedFrom origin: String?, _ change: inout LedgerTransaction
    ) throws {
        let database = try change.flushed()
        guard try !LedgerReader.knows(gallery: gallery, database) else { return }
        let absolute = identity.absoluteKey
        // The possible earlier keys are that of version 8 at this place, those of the same place with the state folder
        // elsewhere, and that of version 8 before the move.
        let earlier =
            [absolute] + places.values.filter { $0.absolute == absolute }.map(\.name).sorted()
            + [origin.map { identity.absoluteKey(movedFrom: $0) }].compactMap(\.self)
        for key in earlier where try key != gallery && LedgerReader.knows(gallery: key, database) {
            return try LedgerWriter.rename(gallery: key, to: gallery, &change)
        }
    }

    /// Removes the rows of this gallery's earlier places. Version 8 took a gallery that had been moved for another one,
    /// and kept the rows of both.
    private func forgetEarlierLocations(_ places: [ExactText: PlaceRow], _ change: inout LedgerTransaction) throws {
        let database = try change.flushed()
        for name in try LedgerReader.outputs(database) where name != ExactText(output) {
            let earlier = places[name]?.absolute ?? paths.path(of: name.text)
            let key = identity.absoluteKey(movedFrom: earlier)
            guard StoredPaths.isGone(earlier), key != gallery, key != identity.absoluteKey,
                places[ExactText(key)] == nil,
                !identity.hasManifests(movedFrom: earlier), try LedgerReader.knows(gallery: key, database),
                try sharesMostPhotos(with: key, database)
            else { continue }
            try LedgerWriter.forget(gallery: key, &change)
            try LedgerWriter.forget(output: name.text, &change)
            try change.delete(PlaceRow.self, [name.text])
        }
    }

    /// Whether more than half of another gallery's photos are also in this gallery, with the same original since the
    /// same second. A few common photos can be a coincidence.
    private func sharesMostPhotos(with other: String, _ database: Database) throws -> Bool {
        let ours = try LedgerReader.photos(database, gallery: gallery)
        let theirs = try LedgerReader.photos(database, gallery: other).values
        let shared = theirs.count { photo in
            guard let own = ours[photo.key], let original = photo.sha256 else { return false }
            return own.sha256 == original && own.since == photo.since && own.slug == photo.slug
        }
        return shared * 2 > theirs.count
    }
}
