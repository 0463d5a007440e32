internal import Dispatch
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel
internal import Site
internal import Synchronization

extension PublishedSite {
    /// The ledger rows of a list's photos, as far as the site shows them: slugs, times of the last change, and last
    /// good pictures. The keys are those of the photos.
    func rows(for list: PhotoList) -> [Digest: PhotoRow] {
        let earlier = Dictionary(grouping: photos) { PhotoIdentity(album: $0.album, name: $0.name, addressKey: nil) }
        let listed = Dictionary(grouping: list.photos, by: \.identityByName)
        var rows: [Digest: PhotoRow] = [:]
        for (photo, identity) in zip(list.photos, list.manifest.identities()) {
            var known = earlier[photo.identityByName] ?? []
            var others = listed[photo.identityByName] ?? []
            if known.count > 1 || others.count > 1 {
                known.removeAll { $0.source != photo.shownSource }
                others.removeAll { $0.shownSource != photo.shownSource }
            }
            // Two photos that differ only in the hidden parts of their addresses can't be told apart, so neither is
            // recovered.
            guard known.count == 1, others.count == 1, let earlier = known.first else { continue }
            rows[identity.ledgerKey] = row(of: earlier, for: photo, key: identity.ledgerKey)
        }
        return rows
    }

    private func row(of earlier: Photo, for photo: ManifestPhoto, key: Digest) -> PhotoRow {
        var source: Digest?
        if case .success(let address) = photo.source, earlier.source == photo.shownSource { source = address.rowKey }
        let isHealthy = earlier.reason == nil && earlier.stale == nil
        return PhotoRow(
            key: key, source: source, slug: earlier.slug, state: earlier.state, reason: earlier.reason?.reason,
            since: earlier.since.seconds,
            stale: earlier.stale.map { StaleMark(since: $0.since.seconds, reason: $0.reason) },
            marks: earlier.knownMarks, sha256: earlier.sha256,
            pictures: pictures(of: earlier),
            versions: (earlier.versions ?? []).map {
                PhotoVersion(original: $0.sha256, fetched: $0.downloaded?.seconds)
            },
            recovered: earlier.recovered?.seconds, fetched: earlier.downloaded?.seconds, attempts: isHealthy ? 0 : 1,
            checked: updated.seconds)
    }

    /// The derivatives in the order of `DerivativeSpec.all`.
    private func pictures(of photo: Photo) -> [PublishedPicture] {
        let pictures: [(picture: Picture, content: PublishedPicture.Content)] =
            photo.images.map { ($0, .filtered) } + [photo.original].compactMap(\.self).map { ($0, .unfiltered) }
        let versions: [(picture: Picture, content: PublishedPicture.Content)] =
            (photo.versions ?? []).compactMap { version in version.image.map { ($0, .version(version.sha256)) } }
        func published(
            _ picture: Picture, _ fileName: String?, _ bytes: Int64, _ content: PublishedPicture.Content
        ) -> PublishedPicture? {
            guard let fileName else { return nil }
            let published = PublishedPicture(
                fileName: fileName, width: picture.width, height: picture.height, bytes: bytes, content: content)
            return published.isPlausible ? published : nil
        }
        return pictures.compactMap { published($0, $0.fileName, $0.bytes, $1) }
            + pictures.compactMap { picture, content in
                picture.webp.flatMap { published(picture, $0.fileName, $0.bytes, content) }
            }
            + versions.compactMap { published($0, $0.fileName, $0.bytes, $1) }
    }
}

extension [Digest: PhotoRow] {
    /// The same rows with the colours of their first pictures, which the site's status.json does not contain. Without
    /// this, a photo whose server has no news would be shown without a colour from now on.
    func withColours(ofPicturesIn output: String) -> Self {
        let rows = Array(values)
        let coloured = Mutex(self)
        DispatchQueue.concurrentPerform(iterations: rows.count) { index in
            var row = rows[index]
            var pictures = row.pictures
            // A picture that can't be read has no colour. The photo is recovered all the same.
            guard let first = pictures.first, first.colour == nil,
                let colour = try? DerivativeMaker.colour(ofDerivativeAt: "\(output)/images/\(first.fileName)")
            else { return }
            pictures[0] = PublishedPicture(
                fileName: first.fileName, width: first.width, height: first.height, bytes: first.bytes,
                content: first.content, colour: colour)
            row.pictures = pictures
            coloured.withLock { [row] in $0[row.key] = row }
        }
        return coloured.withLock { $0 }
    }
}

extension LedgerSession {
    /// The time of the site's last change, if no ledger knows the site and it still shows the same content.
    func updated(of content: SiteContent, _ options: BuildOptions) throws(GalleryError) -> Timestamp? {
        guard let earlier else { return nil }
        var content = content
        content.updated = earlier.updated
        do {
            let isSame = try PublishedSite.matches(content, templates: options.templates, in: options.output)
            return isSame ? earlier.updated : nil
        } catch {
            throw .site(error)
        }
    }
}
