internal import Downloads
package import Imaging
package import Ledger
internal import Manifest
internal import PhotoModel

/// The manifests read into one list, each photo with its filter chain.
package struct PhotoList: Sendable {
    let manifest: Manifest
    /// Parallel to `manifest.photos`: the photo's own filter chain, nil where the site's holds.
    let filters: [FilterChain?]
    /// The addresses in those lists that are on this machine, where others come from URLs; empty if all are of one
    /// kind.
    let locallyListed: Set<RequestKey>
    /// The addresses in lists from URLs that lead back to the very server that the list came from, where the user
    /// named that one by its IP address or as `localhost`. Each with the ports at which that server may be asked.
    let atNamedServers: [RequestKey: Set<Int>]
    var photos: [ManifestPhoto] { manifest.photos }

    /// Reads and merges manifests.
    /// - Throws: `GalleryError.manifest`, `.filter`, `.noPhotos`, or `.interrupted` if it was cancelled.
    package init(
        _ inputs: [ManifestBytes], allowsEmpty: Bool, isCancelled: @escaping () -> Bool = { false }
    ) throws(GalleryError) {
        var manifests: [Manifest] = []
        for input in inputs {
            manifests.append(try Self.manifest(input, isCancelled: isCancelled))
        }
        locallyListed = Self.locallyListed(inputs, manifests)
        atNamedServers = Self.atNamedServers(inputs, manifests)
        manifest = Manifest.merged(manifests)
        try Self.checkIsNotEmpty(manifest, of: inputs.map(\.origin.shown), allowsEmpty)
        var filters: [FilterChain?] = []
        for photo in manifest.photos { filters.append(try Self.filter(of: photo)) }
        self.filters = filters
    }

    /// - Throws: `GalleryError.manifest`, or `.interrupted` if it was cancelled.
    static func manifest(
        _ input: ManifestBytes, isCancelled: @escaping () -> Bool = { false }
    ) throws(GalleryError) -> Manifest {
        do {
            return try ManifestReader(origin: input.origin).read(input.bytes, isCancelled: isCancelled)
        } catch {
            if case .cancelled = error { throw .interrupted }
            throw .manifest(error)
        }
    }

    /// - Parameter names: the names of the manifests in messages.
    static func checkIsNotEmpty(_ manifest: Manifest, of names: [String], _ allowsEmpty: Bool) throws(GalleryError) {
        guard allowsEmpty || !manifest.photos.isEmpty else {
            throw .noPhotos(shown: names.joined(separator: ", "))
        }
    }

    /// - Parameter manifests: parallel to the inputs.
    private static func locallyListed(_ inputs: [ManifestBytes], _ manifests: [Manifest]) -> Set<RequestKey> {
        guard inputs.contains(where: \.origin.isRemote) else { return [] }
        let here = zip(inputs, manifests).filter { !$0.0.origin.isRemote }
        return Set(here.flatMap { addresses(in: $0.1).map { RequestKey($0) } })
    }

    /// - Parameter manifests: parallel to the inputs.
    private static func atNamedServers(_ inputs: [ManifestBytes], _ manifests: [Manifest]) -> [RequestKey: Set<Int>] {
        var found: [RequestKey: Set<Int>] = [:]
        for (input, manifest) in zip(inputs, manifests) {
            guard case .remote(let location, _) = input.origin, let requested = input.requestedURL,
                let server = NamedServer(requested, leadingTo: location)
            else { continue }
            for address in addresses(in: manifest) where server.isAsked(by: address) {
                found[RequestKey(address), default: []].formUnion(server.ports)
            }
        }
        return found
    }

    private static func addresses(in manifest: Manifest) -> [String] {
        manifest.photos.compactMap { photo in
            guard case .success(let source) = photo.source, case .remote(let url) = source.location else { return nil }
            return url
        }
    }

    /// - Throws: `GalleryError.filter`.
    static func filter(of photo: ManifestPhoto) throws(GalleryError) -> FilterChain? {
        guard let filter = photo.filter else { return nil }
        do {
            return try FilterChain(parsing: filter.text)
        } catch {
            throw .filter(filter.position, detail: "the filter of '\(photo.name)': \(error.description)")
        }
    }

    /// The records of a build: one a photo, in the order of the list.
    package func records(options: DerivativeOptions, snapshot: LedgerSnapshot) -> [PhotoRecord] {
        records(options: options, snapshot: snapshot, keys: LedgerKeys(manifest))
    }

    func records(options: DerivativeOptions, snapshot: LedgerSnapshot, keys: LedgerKeys) -> [PhotoRecord] {
        var rows = keys.photos.map { snapshot.photos[$0] }
        // The identities are needed only if a photo is new.
        lazy var identities = manifest.identities()
        for index in rows.indices where rows[index] == nil {
            rows[index] = Self.renamed(photos[index], as: identities[index], in: snapshot)
        }
        let assigned = Slugs.kept(rows.map { $0?.slug }) ?? slugs(identities, rows)
        let renderOptions = PhotoRecord.RenderOptions(options)
        return photos.indices.map { index in
            let own = filters[index].map { PhotoRecord.RenderOptions(options.with(filter: $0)) }
            return PhotoRecord(
                photo: photos[index], key: keys.photos[index], sourceKey: keys.sources[index], slug: assigned[index],
                renderOptions: own ?? renderOptions, remembered: rows[index])
        }
    }

    private func slugs(_ identities: [PhotoIdentity], _ rows: [PhotoRow?]) -> [String] {
        var slugs: [PhotoIdentity: String] = [:]
        for (identity, row) in zip(identities, rows) { slugs[identity] = row?.slug }
        return Slugs.assign(photos, remembered: slugs)
    }

    /// The record of a photo whose name began or ceased to repeat, which changes its identity.
    private static func renamed(
        _ photo: ManifestPhoto, as identity: PhotoIdentity, in snapshot: LedgerSnapshot
    ) -> PhotoRow? {
        guard case .success(let source) = photo.source else { return nil }
        let other = identity.sourceKey == nil ? photo.identityWithSource : photo.identityByName
        guard let row = snapshot.photos[other.ledgerKey], row.source == source.rowKey else { return nil }
        return row
    }

    /// Album → slug.
    func albumSlugs(snapshot: LedgerSnapshot) -> [AlbumIdentity: String] {
        var remembered: [AlbumIdentity: String] = [:]
        for path in manifest.albums {
            if let slug = snapshot.albums[ledgerKey(album: path)] { remembered[AlbumIdentity(path)] = slug }
        }
        return Slugs.assignAlbums(manifest.albums, remembered: remembered)
    }
}

/// The key of an album in the ledger: hashed, so that names which Unicode calls equivalent stay apart.
func ledgerKey(album path: [String]) -> String { Digest(of: path.joined(separator: "\u{1F}")).hex }

extension PhotoIdentity {
    /// The key of the photo in the ledger: hashed, because an address may hold a password, and because names that
    /// Unicode calls equivalent are different names. U+001F separates the parts: XML does not allow it inside one.
    var ledgerKey: Digest {
        Digest(of: (album + [name, sourceKey ?? ""]).joined(separator: "\u{1F}"))
    }
}
