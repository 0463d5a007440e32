import Ledger
import PhotoModel

extension OriginalRow {
    /// The facts of a JPEG of this width.
    init(sha256: Digest, width: Int) {
        self.init(sha256: sha256, edition: 3, format: "jpeg", width: width, height: 200, hasTransparency: false)
    }
}

extension Ledger {
    /// Records a publication, with all files of the site in place of those that are recorded.
    func record(
        publication site: SiteRow?, photos: [PhotoRow], replacing known: [PhotoRow?], removing gone: [Digest],
        albums: [String: String]
    ) throws {
        let recorded = try site.flatMap { try self.site(output: $0.output) }?.owned ?? [:]
        try record(
            publication: site, changed: Set(recorded.keys).union(site?.owned.keys ?? [:].keys), photos: photos,
            replacing: known, removing: gone, albums: albums)
    }

    /// Records photos in place of all that are recorded.
    func record(
        publication site: SiteRow?, photos: [PhotoRow], replacing known: [Digest: PhotoRow], albums: [String: String]
    ) throws {
        let kept = Set(photos.map(\.key))
        try record(
            publication: site, photos: photos, replacing: photos.map { known[$0.key] },
            removing: known.keys.filter { !kept.contains($0) }, albums: albums)
    }
}
