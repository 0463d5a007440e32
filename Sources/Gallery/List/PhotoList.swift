internal import Downloads
package import Imaging
package import Ledger
internal import Manifest
internal import PhotoModel

/// One list read from all manifests, with the filter chain of each photo.
package struct PhotoList: Sendable {
    let manifest: Manifest
    /// The photos' own filter chains, parallel to `manifest.photos`; nil for a photo that the site's chain applies to.
    let filters: [FilterChain?]
    /// The addresses in local lists, if other lists come from URLs. Empty if all lists are local or all are remote.
    let locallyListed: Set<RequestKey>
    /// The addresses in lists from URLs that refer to the server of the list itself, if the user named that server by
    /// its IP address or as `localhost`. The values are the ports at which that server may be contacted.
    let atNamedServers: [RequestKey: Set<Int>]
    var photos: [ManifestPhoto] { manifest.photos }

    /// Reads and merges manifests.
    /// - Throws: `GalleryError.manifest`, `.filter`, `.noPhotos`, or `.interrupted` if the reading was cancelled.
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

    /// A list whose photos are only looked up in the ledger. None is downloaded, so it does not matter which lists have
    /// which addresses.
    /// - Parameter filters: the filter chains of the photos, parallel to `manifest.photos`.
    init(_ manifest: Manifest, filters: [FilterChain?]) {
        (self.manifest, self.filters) = (manifest, filters)
        (locallyListed, atNamedServers) = ([], [:])
    }

    /// - Throws: `GalleryError.manifest`, or `.interrupted` if the reading was cancelled.
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

    /// - Parameter names: the names of the manifests for the message.
    static func checkIsNotEmpty(_ manifest: Manifest, of names: [String], _ allowsEmpty: Bool) throws(GalleryError) {
        guard allowsEmpty || !manifest.photos.isEmpty else {
            throw .noPhotos(shown: names.joined(separator: ", "))
        }
    }

    /// - Parameter manifests: the manifests, parallel to the inputs.
    private static func locallyListed(_ inputs: [ManifestBytes], _ manifests: [Manifest]) -> Set<RequestKey> {
        guard inputs.contains(where: \.origin.isRemote) else { return [] }
        let here = zip(inputs, manifests).filter { !$0.0.origin.isRemote }
        return Set(here.flatMap { addresses(in: $0.1).map { RequestKey($0) } })
    }

    /// - Parameter manifests: the manifests, parallel to the inputs.
    private static func atNamedServers(_ inputs: [ManifestBytes], _ manifests: [Manifest]) -> [RequestKey: Set<Int>] {
        var found: [RequestKey: Set<Int>] = [:]
        for (input, manifest) in zip(inputs, manifests) {
            guard case .remote(let location, _) = input.origin, let requested = input.requestedURL,
                let server = NamedServer(requested, leadingTo: location)
            else { continue }
            for address in addresses(in: manifest) where server.isTarget(of: address) {
                found[RequestKey(address), default: []].formUnion(server.ports)
            }
        }
        return found
    }

    private static func addresses(in manifest: Manifest) -> [String] {
        manifest.photos.flatMap { photo in
            // An address that can't be used names no server.
            ([try? photo.source.get()].compactMap(\.self) + photo.mirrors).compactMap { source in
                if case .remote(let url) = source.location { url } else { nil }
            }
        }
    }

    /// - Throws: `GalleryError.filter` if the photo's own chain is invalid.
    static func filter(of photo: ManifestPhoto) throws(GalleryError) -> FilterChain? {
        guard let filter = photo.filter else { return nil }
        do {
            return try FilterChain(parsing: filter.text)
        } catch {
            throw .filter(filter.position, detail: "the filter of '\(photo.name)': \(error.description)")
        }
    }

    /// The records of a build, one for each photo, in the order of the list.
    package func records(options: DerivativeOptions, snapshot: LedgerSnapshot) -> [PhotoRecord] {
        records(options: options, snapshot: snapshot, keys: LedgerKeys(manifest), expectedChange: .never)
    }

    /// - Parameters:
    ///   - expectedChange: how soon photos are expected to change whose entries don't say it.
    ///   - accepted: the photos whose suspicious pictures are accepted.
    ///   - versions: what is done with the earlier originals of photos.
    ///   - members: whether each photo gets a record, parallel to the list's photos; nil if all of them do.
    func records(
        options: DerivativeOptions, snapshot: LedgerSnapshot, keys: LedgerKeys, expectedChange: ExpectedChange,
        accepted: AcceptedNames = AcceptedNames([]), versions: VersionOptions = VersionOptions(),
        members: [Bool]? = nil
    ) -> [PhotoRecord] {
        var rows = keys.photos.map { snapshot.photos[$0] }
        // The identities are needed only if a photo is new.
        lazy var identities = manifest.identities()
        for index in rows.indices where rows[index] == nil {
            guard case .success(let source) = photos[index].source else { continue }
            rows[index] = Self.renamed(photos[index], as: identities[index], at: [source], in: snapshot)
        }
        // Several photos of one name can list the same mirror. The row belongs to the first of them, unless it is of
        // another one's own address. Most builds have no new photo, and need no set.
        var taken = rows.contains { $0 == nil } ? Set(rows.lazy.compactMap { $0?.key }) : []
        for index in rows.indices where rows[index] == nil {
            let photo = photos[index]
            guard let row = Self.renamed(photo, as: identities[index], at: photo.mirrors, in: snapshot),
                taken.insert(row.key).inserted
            else { continue }
            rows[index] = row
        }
        let assigned = Slugs.unchanged(rows.map { $0?.slug }) ?? slugs(identities, rows)
        addMovedRows(to: &rows, keys, snapshot)
        let renderOptions = PhotoRecord.RenderOptions(options, versions: versions)
        return photos.indices.lazy.filter { members?[$0] ?? true }.map { index in
            let own = filters[index].map {
                PhotoRecord.RenderOptions(options.with(filter: $0), versions: versions)
            }
            return PhotoRecord(
                photo: photos[index], key: keys.photos[index], sourceKey: keys.sources[index], slug: assigned[index],
                renderOptions: own ?? renderOptions, remembered: rows[index], expectedChange: expectedChange,
                isAccepted: accepted.contains(photos[index]))
        }
    }

    private func slugs(_ identities: [PhotoIdentity], _ rows: [PhotoRow?]) -> [String] {
        var slugs: [PhotoIdentity: String] = [:]
        for (identity, row) in zip(identities, rows) { slugs[identity] = row?.slug }
        return Slugs.assign(photos, remembered: slugs)
    }

    /// The ledger's row of a photo whose name has become unique or ambiguous since it was recorded, which changes its
    /// identity.
    /// - Parameter addresses: the addresses of the photo of which one must have delivered the row's picture.
    private static func renamed(
        _ photo: ManifestPhoto, as identity: PhotoIdentity, at addresses: [Source], in snapshot: LedgerSnapshot
    ) -> PhotoRow? {
        let other = identity.addressKey == nil ? photo.identityWithSource : photo.identityByName
        guard let row = snapshot.photos[other.ledgerKey] else { return nil }
        return addresses.contains { $0.rowKey == row.source } ? row : nil
    }

    /// Adds the ledger's rows of photos that have another name or album now: the row of the same address that no photo
    /// of the list has any more. Such a photo keeps its picture and its marks, but gets a new slug.
    private func addMovedRows(to rows: inout [PhotoRow?], _ keys: LedgerKeys, _ snapshot: LedgerSnapshot) {
        // Most builds have nothing to look for, and need no index.
        guard rows.contains(where: { $0 == nil }) else { return }
        let listed = Set(rows.lazy.compactMap { $0?.key })
        guard listed.count < snapshot.photos.count else { return }
        var unlisted: [Digest: PhotoRow] = [:]
        for row in snapshot.photos.values where !listed.contains(row.key) {
            guard let source = row.source else { continue }
            // Each build takes the same one of several rows, so that its result does not depend on their order.
            if let other = unlisted[source], other.key.hex < row.key.hex { continue }
            unlisted[source] = row
        }
        for index in rows.indices where rows[index] == nil {
            let addresses = [keys.sources[index]].compactMap(\.self) + photos[index].mirrors.map(\.rowKey)
            rows[index] = addresses.lazy.compactMap { unlisted[$0] }.first
        }
    }

    /// The slugs of the albums.
    func albumSlugs(snapshot: LedgerSnapshot) -> [AlbumIdentity: String] {
        var remembered: [AlbumIdentity: String] = [:]
        for path in manifest.albums {
            if let slug = snapshot.albums[ledgerKey(album: path)] { remembered[AlbumIdentity(path)] = slug }
        }
        return Slugs.assignAlbums(manifest.albums, remembered: remembered)
    }
}

/// The key of an album in the ledger. It is a digest, so that names that Unicode calls equivalent stay distinct.
func ledgerKey(album path: [String]) -> String { Digest(of: path.joined(separator: "\u{1F}")).hex }

extension PhotoIdentity {
    /// The key of the photo in the ledger. It is a digest, because an address can contain a password, and because names
    /// that Unicode calls equivalent are different names. U+001F separates the parts: XML does not allow it inside one.
    var ledgerKey: Digest {
        Digest(of: (album + [name, addressKey ?? ""]).joined(separator: "\u{1F}"))
    }
}
