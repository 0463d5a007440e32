import Ledger
import PhotoModel

extension Ledger {
    /// Records photos in the place of all that are remembered.
    func record(
        publication site: SiteRow?, photos: [PhotoRow], replacing known: [Digest: PhotoRow], albums: [String: String]
    ) throws {
        let kept = Set(photos.map(\.key))
        try record(
            publication: site, photos: photos, replacing: photos.map { known[$0.key] },
            removing: known.keys.filter { !kept.contains($0) }, albums: albums)
    }
}
