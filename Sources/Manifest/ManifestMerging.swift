extension Manifest {
    /// Joins several manifests to one list: photos, albums and warnings in the given order, and the title of the first.
    /// An entry with the album, name and address of an entry in another manifest gives a warning, and is shown once.
    package static func merged(_ manifests: [Manifest]) -> Manifest {
        // The same relative path means another file in another folder.
        let folder = manifests.lazy.compactMap(\.folder).first
        let all = manifests.flatMap { manifest in
            guard let folder, manifest.folder != folder else { return manifest.photos }
            return manifest.photos.map { $0.rebased(to: folder) }
        }
        // Each manifest was read without its own duplicates.
        let (photos, duplicates, mayRepeatNames) =
            manifests.count == 1 ? (all, [], manifests[0].mayRepeatNames) : withoutDuplicates(all)
        var seen: Set<AlbumIdentity> = []
        let albums = manifests.flatMap(\.albums).filter { seen.insert(AlbumIdentity($0)).inserted }
        return Manifest(
            title: manifests.first?.title, photos: photos, albums: albums,
            warnings: manifests.flatMap(\.warnings) + duplicates, folder: folder, mayRepeatNames: mayRepeatNames)
    }

    /// The photos without those that repeat an earlier one, a warning for each of the repeats, and whether two of the
    /// photos might have the same album and name.
    static func withoutDuplicates(
        _ photos: [ManifestPhoto]
    ) -> (photos: [ManifestPhoto], warnings: [ManifestDiagnostic], mayRepeatNames: Bool) {
        let repeated = Duplicates.indices(in: photos.map(\.identityByName))
        guard !repeated.isEmpty else { return (photos, [], false) }
        var first: [PhotoIdentity: TextPosition] = [:]
        var dropped: Set<Int> = []
        var warnings: [ManifestDiagnostic] = []
        for index in repeated {
            let photo = photos[index]
            let identity = photo.identityWithSource
            guard let earlier = first[identity] else {
                first[identity] = photo.position
                continue
            }
            dropped.insert(index)
            let place = earlier.file == photo.position.file ? "on line \(earlier.line)" : "at \(earlier)"
            warnings.append(
                ManifestDiagnostic(
                    position: photo.position,
                    message: "\(photo.name.quoted) repeats the entry \(place), same name and address; it is shown once")
            )
        }
        return (photos.indices.filter { !dropped.contains($0) }.map { photos[$0] }, warnings, true)
    }
}
