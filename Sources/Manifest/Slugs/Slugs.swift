internal import PhotoModel

/// Gives photos and albums their slugs: the part of their pages' addresses that is theirs.
///
/// A slug is 1 to 80 bytes of lower-case ASCII letters, digits and single hyphens. What is remembered stays. Whatever
/// has a readable slug in common with anything else gets a short hash as well, so that the slugs of a list depend on
/// what is in it and not on the order.
package enum Slugs {
    /// A slug for each photo, parallel to `photos`; all differ.
    ///
    /// - Parameters:
    ///   - photos: no two with the same album, name and address, as `Manifest` has them.
    ///   - remembered: the slugs of earlier builds, under `identityByName`, `identityWithSource` or both. A photo whose
    ///     name repeats in its album is looked up by the latter only. What photos of earlier builds had is not given
    ///     to others.
    package static func assign(_ photos: [ManifestPhoto], remembered: [PhotoIdentity: String]) -> [String] {
        let candidates = zip(photos, Manifest.identities(of: photos)).map { photo, identity in
            SlugAssignment.Candidate(
                text: photo.name,
                hashed: [photo.addressKey] + photo.album + [photo.name],
                remembered: remembered[photo.identityWithSource] ?? remembered[identity])
        }
        return SlugAssignment(kind: "photo", taken: remembered.values).slugs(for: candidates)
    }

    /// The slugs of earlier builds where every photo has one of its own, so that `assign` would give the same.
    package static func kept(_ remembered: [String?]) -> [String]? {
        var seen = Set<String>(minimumCapacity: remembered.count)
        var kept: [String] = []
        kept.reserveCapacity(remembered.count)
        for slug in remembered {
            guard let slug, SlugText.isValid(slug), seen.insert(slug).inserted else { return nil }
            kept.append(slug)
        }
        return kept
    }

    /// A slug for each album, made of its whole path; all differ.
    package static func assignAlbums(
        _ albums: [[String]], remembered: [AlbumIdentity: String]
    ) -> [AlbumIdentity: String] {
        var seen: Set<AlbumIdentity> = []
        let distinct = albums.map(AlbumIdentity.init).filter { seen.insert($0).inserted }
        let candidates = distinct.map { album in
            SlugAssignment.Candidate(
                text: album.path.joined(separator: " "), hashed: album.path, remembered: remembered[album])
        }
        let slugs = SlugAssignment(kind: "album", taken: remembered.values).slugs(for: candidates)
        return Dictionary(uniqueKeysWithValues: zip(distinct, slugs))
    }
}
