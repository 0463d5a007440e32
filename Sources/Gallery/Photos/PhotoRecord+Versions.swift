internal import Ledger
internal import Manifest
internal import PhotoModel

/// The settings for earlier originals of photos that change at their sources.
package struct VersionOptions: Hashable, Sendable {
    /// The number of earlier originals that are kept for each photo.
    package var kept: Int
    /// Whether the page of a photo shows them.
    package var areShown: Bool

    package init(kept: Int = 1, areShown: Bool = false) {
        self.kept = kept
        self.areShown = areShown
    }
}

extension PhotoRecord {
    /// The earlier originals that are kept of the photo, as far as this build knows.
    var versions: [PhotoVersion] { versions(progress, after: remembered) }

    /// Whether earlier originals are published. They are not if the list pins the bytes of the picture: then no other
    /// picture may be shown.
    var showsVersions: Bool { versionOptions.areShown && photo.pinned == nil }

    /// The earlier originals to keep, the latest first.
    func versions(_ progress: Progress, after remembered: PhotoRow?) -> [PhotoVersion] {
        guard let row = remembered else { return [] }
        var versions = row.versions
        if progress.original != row.sha256 || progress.original == nil {
            // The pictures of another address are not earlier versions of this one.
            guard hasAddress(row.source) else { return [] }
        }
        if let old = row.sha256, let new = progress.original, new != old {
            // A copy of an archive only stood in for a picture that was gone, and one of a mirror is another copy.
            let isCopy = row.marks[.archived] != nil || progress.mark?.code == .archived
            if !isCopy, row.source == progress.address, photo.pinned == nil, versionOptions.kept > 0 {
                versions.insert(PhotoVersion(original: old, fetched: row.fetched), at: 0)
            }
        }
        if versions.isEmpty { return versions }
        versions.removeAll {
            $0.original == progress.original || progress.unusableVersions.contains($0.original)
        }
        return Array(versions.prefix(versionOptions.kept))
    }

    /// The pictures of a photo without those of earlier originals that are not kept or must not be shown.
    func allowed(_ pictures: [PublishedPicture], of versions: [PhotoVersion]) -> [PublishedPicture] {
        guard pictures.contains(where: { $0.version != nil }) else { return pictures }
        return pictures.filter { picture in
            guard let original = picture.version else { return true }
            return showsVersions && versions.contains { $0.original == original }
        }
    }
}
