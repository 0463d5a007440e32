internal import Foundation
internal import GRDB
internal import PhotoModel

/// Finds what is remembered of a gallery that was moved, or whose state folder was, and records where it is now.
///
/// A gallery and its output folder are known by their way from the state folder, so that all of it can be moved. A
/// state folder may also have been moved alone, beside another gallery even: an output folder that is not where it
/// was counts as another one where what should be the pages of the one that is remembered are others.
struct Relocation {
    let place: GalleryPlace
    let paths: StoredPaths

    private var gallery: String { place.key(paths) }
    private var output: String { paths.name(of: place.output) }

    private var rows: [PlaceRow] {
        [
            PlaceRow(
                name: gallery, absolute: place.absoluteKey, manifests: place.shown(paths), output: output),
            PlaceRow(name: output, absolute: place.output),
        ]
    }

    /// Whether the gallery is not where it was, or is not recorded by its key.
    func isNeeded(_ database: Database) throws -> Bool {
        let places = try LedgerReader.places(database)
        return rows.contains { places[$0.name] != $0 }
    }

    func run(_ database: Database) throws {
        let places = try LedgerReader.places(database)
        guard rows.contains(where: { places[$0.name] != $0 }) else { return }
        var change = LedgerTransaction(database)
        let origin = try findOutput(places, &change)
        try findGallery(places, movedFrom: origin, &change)
        try forgetEarlierSelves(places, &change)
        for row in rows { try change.save(row) }
        try change.flushed()
    }

    /// - Returns: where the output folder was, if it was elsewhere and is the same for certain.
    private func findOutput(_ places: [String: PlaceRow], _ change: inout LedgerTransaction) throws -> String? {
        let database = try change.flushed()
        let outputs = try LedgerReader.outputs(database)
        if outputs.contains(output) {
            guard let earlier = places[output]?.absolute, !paths.isSamePlace(earlier, place.output) else { return nil }
            guard try compare(with: output, database) == .another else { return earlier }
            try LedgerWriter.forget(output: output, &change)
            return nil
        }
        for name in outputs {
            let earlier = places[name]?.absolute ?? paths.path(of: name)
            let isHere = paths.isSamePlace(earlier, place.output)
            guard try isHere || (StoredPaths.isGone(earlier) && compare(with: name, database) == .same) else {
                continue
            }
            try LedgerWriter.rename(output: name, to: output, &change)
            return isHere ? nil : earlier
        }
        return nil
    }

    /// The answer of the files in the output folder to whose it is.
    private enum Comparison {
        case same, another
        /// There are none to compare.
        case unknown
    }

    /// Compares pages in the output folder with those that are recorded of one. A single one that is the same proves
    /// it: others may have been changed or removed since.
    private func compare(with name: String, _ database: Database) throws -> Comparison {
        // These are the same only where all photos are; the other pages are looked at where they prove nothing.
        let first = ["index.html", "status.json"]
        var comparison = Comparison.unknown
        for path in first {
            guard let file = try LedgerReader.owned(database, output: name, path: path),
                let isSame = compare(file, at: path)
            else { continue }
            if isSame { return .same }
            comparison = .another
        }
        let pages = try LedgerReader.owned(database, output: name).filter {
            $0.key.hasSuffix(".html") && $0.key != first[0]
        }
        for (path, file) in pages {
            guard let isSame = compare(file, at: path) else { continue }
            if isSame { return .same }
            comparison = .another
        }
        return comparison
    }

    /// - Returns: nil if there is no such file in the output folder, or it is not known what was in it.
    private func compare(_ file: OwnedRow, at path: String) -> Bool? {
        guard let digest = file.digest ?? file.digestBefore,
            let bytes = FileManager.default.contents(atPath: place.output + "/" + path)
        else { return nil }
        return Digest(of: [UInt8](bytes)) == digest
    }

    private func findGallery(
        _ places: [String: PlaceRow], movedFrom origin: String?, _ change: inout LedgerTransaction
    ) throws {
        let database = try change.flushed()
        guard try !LedgerReader.knows(gallery: gallery, database) else { return }
        let absolute = place.absoluteKey
        // As version 8 knew it; where only the state folder was moved; as version 8 knew it before a move.
        let earlier =
            [absolute] + places.values.filter { $0.absolute == absolute }.map(\.name).sorted()
            + [origin.map { place.absoluteKey(movedFrom: $0) }].compactMap(\.self)
        for key in earlier where try key != gallery && LedgerReader.knows(gallery: key, database) {
            return try LedgerWriter.rename(gallery: key, to: gallery, &change)
        }
    }

    /// Version 8 took a gallery that had been moved for another one, and remembered both.
    private func forgetEarlierSelves(_ places: [String: PlaceRow], _ change: inout LedgerTransaction) throws {
        let database = try change.flushed()
        for name in try LedgerReader.outputs(database) where name != output {
            let earlier = places[name]?.absolute ?? paths.path(of: name)
            let key = place.absoluteKey(movedFrom: earlier)
            guard StoredPaths.isGone(earlier), key != gallery, key != place.absoluteKey, places[key] == nil,
                !place.hasManifests(movedFrom: earlier), try LedgerReader.knows(gallery: key, database),
                try sharesMostPhotos(with: key, database)
            else { continue }
            try LedgerWriter.forget(gallery: key, &change)
            try LedgerWriter.forget(output: name, &change)
            try change.delete(PlaceRow.self, [name])
        }
    }

    /// Whether more than half of another gallery's photos have been the same in ours since the same second. A few may
    /// be in both by chance.
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
