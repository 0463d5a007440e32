internal import Ledger
internal import Manifest
internal import PhotoModel

extension PhotoRecord {
    /// The photo's addresses in the order in which they are tried; empty if its address can't be used.
    var sources: [Source] { (source.map { [$0] } ?? []) + photo.mirrors }

    /// The index of the address after the one that delivered the original in this build; nil if there is none.
    var nextAddress: Int? {
        guard !photo.mirrors.isEmpty, let index = progress.addressIndex else { return nil }
        return index + 1 < sources.count ? index + 1 : nil
    }

    /// Forgets what an address delivered, because it is no usable picture.
    func discardOriginal() {
        update {
            ($0.state, $0.original, $0.fetched, $0.metadata) = (.new, nil, nil, nil)
            $0.forgetAddress()
        }
    }

    /// Whether a ledger key is that of one of the photo's addresses.
    func hasAddress(_ key: Digest?) -> Bool {
        guard let key else { return false }
        return key == sourceKey || photo.mirrors.contains { $0.rowKey == key }
    }

    /// Decides whether an address is requested even if its last answer is still fresh.
    /// - Parameters:
    ///   - key: the ledger key of the address.
    ///   - now: the time of the build in seconds since 1970.
    /// - Returns: the reason; nil if the photo is new, or gives none. A photo that shows its earlier picture because of
    ///   a mark is `unchecked`.
    func requestReason(at key: Digest, now: Int64) -> PhotoPlan.FetchReason? {
        guard let row = remembered else { return nil }
        if let stale = row.stale { return .stale(stale.reason.code) }
        if row.state == .failed { return .failed(row.reason?.code ?? .unreadableFile) }
        if row.marks[.archived] != nil { return .archived }
        if hasAddress(row.source), row.source != key { return .mirrored }
        if row.marks.contains(where: { $0.code != .frozen }) {
            return .unchecked(since: Timestamp(seconds: row.checked))
        }
        return isOverdue(at: now) ? .overdue(since: Timestamp(seconds: row.fetched ?? row.since)) : nil
    }

    /// The photo's address; nil if it can't be used.
    var source: Source? {
        guard case .success(let source) = photo.source else { return nil }
        return source
    }

    /// The ledger key of the address of a photo that no address has delivered in this build. It stays what it was while
    /// the earlier picture is shown: that of a mirror is not the first address's, and the next picture of a new address
    /// must not be taken for a change of this one. A pinned picture is right at any address.
    func fallbackAddress(_ progress: Progress, _ remembered: PhotoRow?) -> Digest? {
        if progress.mark?.code == .changed { return sourceKey }
        guard let remembered, let original = progress.original, original == remembered.sha256 else { return sourceKey }
        return remembered.source ?? sourceKey
    }
}
