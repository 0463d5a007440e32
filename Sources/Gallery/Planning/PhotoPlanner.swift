internal import Downloads
internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel

/// Decides the work for one photo, with the reasons for it.
struct PhotoPlanner {
    let snapshot: LedgerSnapshot
    let diskState: DiskState
    let maxAge: MaxAge
    /// The system's time in seconds since 1970, never a pinned one.
    let realNow: Int64
    /// The time of the build in seconds since 1970, which `SOURCE_DATE_EPOCH` can pin.
    let now: Int64
    let isForced: Bool
    /// Whether the photos have ended with the results of other machines.
    var usesStore = false
    private let recipeChanges = RecipeChanges()

    func photoPlan(on record: PhotoRecord) -> PhotoPlan {
        if usesStore {
            let isNews = record.isVisibleChange(record.row(now: now))
            return PhotoPlan(fetchReason: isNews ? .resultOfShard : nil)
        }
        let renderReasons = renderReasons(record)
        let fetchReason = fetchReason(record, hasWork: !renderReasons.isEmpty)
        let isKept = fetchReason == nil && renderReasons.isEmpty
        return PhotoPlan(
            fetchReason: fetchReason, renderReasons: renderReasons, markChanges: isKept ? markChanges(record) : [])
    }

    private func markChanges(_ record: PhotoRecord) -> [PhotoPlan.MarkChange] {
        guard let row = record.remembered else { return [] }
        let marks = record.marks(ifKept: row, now: now)
        guard marks != row.marks else { return [] }
        return marks.filter { !row.marks.contains($0) }.map { .marked($0) }
            + row.marks.filter { marks[$0.code] == nil }.map { .unmarked($0.code) }
    }

    // MARK: Fetching

    private func fetchReason(_ record: PhotoRecord, hasWork: Bool) -> PhotoPlan.FetchReason? {
        guard let row = record.remembered, row.state != .new else { return firstFetch(record) }
        switch record.photo.source {
        case .failure(let failure):
            let reason = Reason(failure)
            let isReported = Reason.areSame(row.reason, reason) || Reason.areSame(row.stale?.reason, reason)
            return isReported && !hasWork && !isForced ? nil : .unusable(reason.code)
        case .success(let source):
            if isForced { return .forced }
            guard let key = record.sourceKey, record.hasAddress(row.source) else { return .otherAddress }
            let requestReason = record.requestReason(at: key, now: now)
            switch requestReason {
            case .unchecked, .overdue, nil: break
            case let reason?: return reason
            }
            guard let known = snapshot.sources[key], let digest = known.sha256 else { return .forgotten }
            if let pinned = record.photo.pinned, pinned != row.sha256 { return .pinned }
            if record.isAccepted, row.marks[.suspicious] != nil { return .accepted }
            let isWithheld =
                row.marks.contains { $0.withheld == digest }
                && record.mark(withholding: digest, now: now) != nil
            guard digest == row.sha256 || isWithheld, known.refusal == nil else { return .neverShown }
            if case .unchecked = requestReason {
                // The picture that is withheld came from a mirror. If this address confirms its own, the mark goes.
                guard isWithheld else { return .mirrored }
                if source.isRemote { return requestReason }
            }
            if let reason = recheckReason(source, known: known, checked: row.checked) { return reason }
            guard diskState.originals.contains(digest) else { return .originalGone }
            // A local file is looked at in each build.
            if source.isRemote, case .overdue = requestReason { return requestReason }
            // A photo with another name or album has a new page.
            return row.key == record.key || hasWork ? nil : renaming(record, row)
        }
    }

    private func renaming(_ record: PhotoRecord, _ row: PhotoRow) -> PhotoPlan.FetchReason {
        let identities = [record.photo.identityByName, record.photo.identityWithSource]
        if identities.contains(where: { $0.ledgerKey == row.key }) { return .ambiguityChanged }
        return .renamed(slug: row.slug == record.slug ? nil : row.slug)
    }

    /// The reason for the first fetch of a photo. Another photo can have brought the original of its address.
    private func firstFetch(_ record: PhotoRecord) -> PhotoPlan.FetchReason {
        guard !isForced, case .success(let source) = record.photo.source,
            let known = record.sourceKey.flatMap({ snapshot.sources[$0] }), let digest = known.sha256,
            known.refusal == nil, diskState.originals.contains(digest)
        else { return .new }
        let recheck = recheckReason(source, known: known, checked: known.fetched ?? 0)
        switch recheck {
        case nil, .unchecked:
            return .knownOriginal(
                isRequested: recheck != nil, isRendered: recipeChanges.isRendered(digest, record.recipe, snapshot))
        default: return .new
        }
    }

    /// Why the stored answer for an address might be outdated; nil if it is current.
    private func recheckReason(_ source: Source, known: SourceRow, checked: Int64) -> PhotoPlan.FetchReason? {
        switch source.location {
        case .remote:
            // Without a time, the server may have stated something else, such as `no-cache`.
            let freshness = known.freshUntil == nil ? Freshness(text: known.caching) : Freshness()
            let metadata = CacheMetadata(
                etag: known.etag, lastModified: known.lastModified, validated: known.validated,
                freshUntil: known.freshUntil, freshness: freshness)
            return metadata.isFresh(at: realNow, maxAge) ? nil : .unchecked(since: Timestamp(seconds: checked))
        case .file:
            guard let stamp = known.fileStamp else { return .fileJustModified }
            guard let found = diskState.stamps[source.location] else { return .fileGone }
            return found == stamp ? nil : .fileChanged
        }
    }

    // MARK: Rendering

    private func renderReasons(_ record: PhotoRecord) -> [PhotoPlan.RenderReason] {
        guard let row = record.remembered, let original = row.sha256 else { return [] }
        if isForced { return [.forced] }
        // Most photos have no versions.
        var renderReasons = row.versions.isEmpty ? [] : versionChanges(record, row: row, original: original)
        if row.recipe != record.recipe.text {
            renderReasons += changes(record, row: row, original: original)
        }
        if !diskState.lostPictures.isEmpty {
            let lost = row.pictures.count { diskState.lostPictures.contains($0.fileName) }
            if lost > 0 { renderReasons.append(.lost(lost)) }
        }
        return renderReasons
    }

    /// The changes of this photo that follow from another recipe; empty if its pictures stay the same.
    private func changes(_ record: PhotoRecord, row: PhotoRow, original: Digest) -> [PhotoPlan.RenderReason] {
        let options = record.options
        guard
            let metadata = snapshot.originals[original].flatMap({ ImageMetadata($0, edition: ImageMetadata.edition) })
        else {
            return [.unknownRecipe]
        }
        guard metadata.width * metadata.height <= options.maxPixels else { return [.tooManyPixels] }
        let specs = DerivativeSpec.all(original: original, picture: metadata, options: options)
        let published = row.pictures.filter { $0.version == nil }.map(\.fileName)
        let changesVersions = record.showsVersions && changesVersions(of: row, options)
        guard changesVersions || specs.map(\.fileName) != published else { return [] }
        guard let old = row.recipe else { return [.unknownRecipe] }
        let changes = recipeChanges.from(old, to: record.recipe)
        let isPNGAlone =
            metadata.hasTransparency && !row.pictures.contains { $0.isWebP || $0.version != nil && !$0.isPNG }
        let relevant = isPNGAlone ? changes.filter { PhotoRecipe.concernsPNG($0) } : changes
        return relevant.isEmpty ? [.unknownRecipe] : relevant
    }

    /// Whether the options give the pictures of earlier originals other names.
    private func changesVersions(of row: PhotoRow, _ options: DerivativeOptions) -> Bool {
        row.pictures.contains { picture in
            guard let original = picture.version else { return false }
            let row = snapshot.originals[original]
            guard let metadata = row.flatMap({ ImageMetadata($0, edition: ImageMetadata.edition) }) else { return true }
            let specs = DerivativeSpec.all(original: original, picture: metadata, options: options.widestAlone)
            return specs.map(\.fileName) != [picture.fileName]
        }
    }

    /// Whether an earlier original has more pixels than are allowed now.
    private func isTooLarge(_ original: Digest, _ options: DerivativeOptions) -> Bool {
        snapshot.originals[original].map { $0.width * $0.height > options.maxPixels } ?? false
    }

    /// The changes that follow from the settings of earlier versions, and from the originals that are still there.
    /// - Parameter row: the row of a photo with versions.
    private func versionChanges(
        _ record: PhotoRecord, row: PhotoRow, original: Digest
    ) -> [PhotoPlan.RenderReason] {
        let options = record.versionOptions
        let shown = Set(row.pictures.compactMap(\.version))
        // If the original of the photo itself is lost, its pictures stay as they are.
        let canRender = diskState.originals.contains(original)
        let kept = row.versions.prefix(options.kept)
        let wanted = kept.map(\.original).filter { version in
            record.showsVersions && (shown.contains(version) || canRender && diskState.originals.contains(version))
                && !isTooLarge(version, record.options)
        }
        var changes: [PhotoPlan.RenderReason] = []
        if kept.count < row.versions.count {
            changes.append(
                .setting(name: "kept versions", old: String(row.versions.count), new: String(kept.count)))
        }
        if Set(wanted) != shown {
            changes.append(.setting(name: "shown versions", old: String(shown.count), new: String(wanted.count)))
        }
        return changes
    }
}
