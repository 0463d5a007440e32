internal import PhotoModel

/// Gives photos and albums their slugs. A slug is the part of a page's address that is unique to a photo or an album.
///
/// It has 1 to 80 bytes of lower-case ASCII letters, digits and single hyphens. A remembered slug stays. If several
/// photos or albums have the same readable slug, all of them get a short hash as well, so that the slugs of a list
/// depend on its content and not on its order.
package enum Slugs {
    /// A slug for each photo, parallel to `photos`; all differ.
    ///
    /// - Parameters:
    ///   - photos: the photos, no two of which have the same album, name and address, as in `Manifest`.
    ///   - remembered: the slugs of earlier builds, under `identityByName`, `identityWithSource` or both. A photo whose
    ///     name repeats in its album is looked up by the latter only. The slugs of earlier photos are not given to
    ///     others.
    package static func assign(_ photos: [ManifestPhoto], remembered: [PhotoIdentity: String]) -> [String] {
        let candidates = zip(photos, Manifest.identities(of: photos)).map { photo, identity in
            SlugAssignment.Candidate(
                text: photo.name,
                hashed: [photo.addressKey] + photo.album + [photo.name],
                remembered: remembered[photo.identityWithSource] ?? remembered[identity])
        }
        return SlugAssignment(kind: "photo", taken: remembered.values).slugs(for: candidates)
    }

    /// The slugs of earlier builds, if every photo has a valid one of its own; nil otherwise. `assign` would return the
    /// same.
    package static func unchanged(_ remembered: [String?]) -> [String]? {
        var seen = Set<String>(minimumCapacity: remembered.count)
        var slugs: [String] = []
        slugs.reserveCapacity(remembered.count)
        for slug in remembered {
            guard let slug, SlugText.isValid(slug), seen.insert(slug).inserted else { return nil }
            slugs.append(slug)
        }
        return slugs
    }

    /// A slug for each album, derived from its whole path; all differ.
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
