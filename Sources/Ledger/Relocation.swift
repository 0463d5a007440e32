internal import Foundation
internal import GRDB
internal import PhotoModel

/// Finds what is remembered of a gallery that was moved, or whose state folder was, and records where it is now.
///
/// A gallery and its output folder are known by their way from the state folder, so that all of it can be moved. A
/// state folder may also have been moved alone, beside another gallery even: an output folder that is not where it
/// was counts as the one that is remembered only if its index.html is the recorded one.
struct Relocation {
    let place: GalleryPlace
    let paths: StoredPaths

    private var gallery: String { place.key(paths) }
    private var output: String { paths.name(of: place.output) }

    private var rows: [PlaceRow] {
        [
            PlaceRow(
                key: gallery, absolute: place.absoluteKey, manifests: place.shown, output: place.output),
            PlaceRow(key: output, absolute: place.output),
        ]
    }

    /// Whether the gallery is not where it was, or is not recorded by its key.
    func isNeeded(_ database: Database) throws -> Bool {
        let places = try Rows.places(database)
        return rows.contains { places[$0.key] != $0 }
    }

    func run(_ database: Database) throws {
        let places = try Rows.places(database)
        guard rows.contains(where: { places[$0.key] != $0 }) else { return }
        var change = Change(database, Numbering())
        let origin = try findOutput(places, &change)
        try findGallery(places, movedFrom: origin, &change)
        try forgetEarlierSelves(places, &change)
        for row in rows { try Recording.save(row, &change) }
        try change.settled()
    }

    /// - Returns: where the output folder was, if it was elsewhere and is the same for certain.
    private func findOutput(_ places: [String: PlaceRow], _ change: inout Change) throws -> String? {
        let database = try change.settled()
        let outputs = try Rows.outputs(database)
        if outputs.contains(output) {
            guard let earlier = places[output]?.absolute, earlier != place.output else { return nil }
            if try isSame(as: output, database) { return earlier }
            try Recording.forget(output: output, &change)
            return nil
        }
        for name in outputs {
            let earlier = places[name]?.absolute ?? paths.path(of: name)
            let isGone = access(earlier, F_OK) != 0 && errno == ENOENT
            let isOurs = try earlier == place.output || (isGone && isSame(as: name, database))
            guard isOurs else { continue }
            try Recording.rename(output: name, to: output, &change)
            return earlier == place.output ? nil : earlier
        }
        return nil
    }

    /// Whether the first page in the output folder is the one that is recorded.
    private func isSame(as name: String, _ database: Database) throws -> Bool {
        let page = "index.html"
        guard let digest = try Rows.owned(database, output: name, path: page)?.digest,
            let bytes = FileManager.default.contents(atPath: place.output + "/" + page)
        else { return false }
        return Digest(of: [UInt8](bytes)) == digest
    }

    private func findGallery(
        _ places: [String: PlaceRow], movedFrom origin: String?, _ change: inout Change
    ) throws {
        let database = try change.settled()
        guard try !Rows.knows(gallery: gallery, database) else { return }
        let absolute = place.absoluteKey
        // As version 8 knew it; where only the state folder was moved; as version 8 knew it before a move.
        let earlier =
            [absolute] + places.values.filter { $0.absolute == absolute }.map(\.key).sorted()
            + [origin.map { place.absoluteKey(movedFrom: $0) }].compactMap(\.self)
        for key in earlier where try key != gallery && Rows.knows(gallery: key, database) {
            return try Recording.rename(gallery: key, to: gallery, &change)
        }
    }

    /// Version 8 took a gallery that had been moved for another one, and remembered both.
    private func forgetEarlierSelves(_ places: [String: PlaceRow], _ change: inout Change) throws {
        let database = try change.settled()
        for name in try Rows.outputs(database) where name != output {
            let earlier = places[name]?.absolute ?? paths.path(of: name)
            let key = place.absoluteKey(movedFrom: earlier)
            guard access(earlier, F_OK) != 0, key != gallery, key != place.absoluteKey, places[key] == nil,
                !place.hasManifests(movedFrom: earlier), try Rows.knows(gallery: key, database),
                try sharesPhotos(with: key, database)
            else { continue }
            try Recording.forget(gallery: key, &change)
            try Recording.forget(output: name, &change)
            try change.remove(.place, key: .string(name))
        }
    }

    /// Whether a photo of ours has been the same in another gallery since the same second.
    private func sharesPhotos(with other: String, _ database: Database) throws -> Bool {
        let ours = try Rows.photos(database, gallery: gallery)
        return try Rows.photos(database, gallery: other).values.contains { photo in
            guard let own = ours[photo.key], let original = photo.sha256 else { return false }
            return own.sha256 == original && own.since == photo.since && own.slug == photo.slug
        }
    }
}
