internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel

/// The manifests read into one list, each photo with its filter chain.
struct PhotoList: Sendable {
    let manifest: Manifest
    /// Parallel to `manifest.photos`: the photo's own filter chain, nil where the site's holds.
    let filters: [FilterChain?]
    var photos: [ManifestPhoto] { manifest.photos }

    /// Reads and merges manifests.
    /// - Throws: `GalleryError.manifest`, `.filter` or `.noPhotos`.
    init(_ inputs: [ManifestBytes], allowsEmpty: Bool) throws(GalleryError) {
        var manifests: [Manifest] = []
        for input in inputs {
            do {
                manifests.append(try ManifestReader(origin: input.origin).read(input.bytes))
            } catch {
                throw .manifest(error)
            }
        }
        manifest = Manifest.merged(manifests)
        guard allowsEmpty || !manifest.photos.isEmpty else {
            throw .noPhotos(shown: inputs.map(\.origin.shown).joined(separator: ", "))
        }
        var filters: [FilterChain?] = []
        for photo in manifest.photos { filters.append(try Self.filter(of: photo)) }
        self.filters = filters
    }

    private static func filter(of photo: ManifestPhoto) throws(GalleryError) -> FilterChain? {
        guard let filter = photo.filter else { return nil }
        do {
            return try FilterChain(parsing: filter.text)
        } catch {
            throw .filter(filter.position, detail: "the filter of '\(photo.name)': \(error.description)")
        }
    }

    /// The records of a build: one a photo, in the order of the list.
    func records(options: DerivativeOptions, snapshot: LedgerSnapshot) -> [PhotoRecord] {
        let identities = manifest.identities()
        let keys = identities.map(\.ledgerKey)
        var remembered: [PhotoIdentity: String] = [:]
        for (identity, key) in zip(identities, keys) {
            if let slug = snapshot.photos[key]?.slug { remembered[identity] = slug }
        }
        let slugs = Slugs.assign(photos, remembered: remembered)
        return photos.indices.map { index in
            var own = options
            if let filter = filters[index] { own.filter = filter }
            return PhotoRecord(
                photo: photos[index], key: keys[index], slug: slugs[index], options: own,
                remembered: snapshot.photos[keys[index]])
        }
    }

    /// Album path → slug.
    func albumSlugs(snapshot: LedgerSnapshot) -> [[String]: String] {
        var remembered: [[String]: String] = [:]
        for path in manifest.albums {
            if let slug = snapshot.albums[ledgerKey(album: path)] { remembered[path] = slug }
        }
        return Slugs.assignAlbums(manifest.albums, remembered: remembered)
    }
}

/// The key of an album in the ledger: hashed, so that names which Unicode calls equivalent stay apart.
func ledgerKey(album path: [String]) -> String { Digest(of: path.joined(separator: "\u{1F}")).hex }

extension PhotoIdentity {
    /// The key of the photo in the ledger: hashed, because an address may hold a password, and because names that
    /// Unicode calls equivalent are different names. U+001F separates the parts: XML does not allow it inside one.
    var ledgerKey: String {
        Digest(of: (album + [name, sourceKey ?? ""]).joined(separator: "\u{1F}")).hex
    }
}
