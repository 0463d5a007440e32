internal import Downloads
internal import Ledger
internal import Manifest
internal import PhotoModel

/// Finds the earlier pictures that photos keep while their sources fail. Builds show what this finds, and `check`
/// predicts it.
struct EarlierPictures: Sendable {
    let store: OriginalStore
    /// The time of the build in seconds since 1970.
    let now: Int64
    /// Whether a derivative with a file name exists and is complete.
    let hasDerivative: @Sendable (String) -> Bool

    /// The last good picture of a photo whose source fails now; nil if there is none.
    /// - Parameter answer: the row of the photo's address in the ledger at the start of the build; nil if it has none.
    /// - Throws: `GalleryError.storage` if the disk can't be read.
    func lastGood(of record: PhotoRecord, _ answer: SourceRow?) throws(GalleryError) -> StaleFallback? {
        do {
            let known = record.remembered
            if let pinned = record.photo.pinned, known?.sha256 != pinned {
                // Only the pinned picture is good, and any photo or any earlier time may have brought it.
                return try store.isGone(pinned) ? nil : .original(pinned, fetched: nil)
            }
            if let accepted = try acceptedOriginal(of: record) { return .original(accepted, fetched: now) }
            if let row = record.remembered, row.sha256 != nil { return try picture(of: row) }
            guard let answer, let given = answer.sha256, try !store.isGone(given) else { return nil }
            return .original(given, fetched: answer.fetched)
        } catch {
            throw GalleryError(error)
        }
    }

    /// The picture of a photo that the last build showed; nil if there is none.
    /// - Throws: `GalleryError.storage` if the disk can't be read.
    func lastShown(of record: PhotoRecord) throws(GalleryError) -> StaleFallback? {
        do {
            guard let row = record.remembered else { return nil }
            return try picture(of: row)
        } catch {
            throw GalleryError(error)
        }
    }

    /// The withheld picture that the user has accepted, if it can be shown. It can't if the list pins another one.
    func acceptedOriginal(of record: PhotoRecord) throws(DownloadsError) -> Digest? {
        guard record.isAccepted, record.photo.pinned == nil,
            let accepted = record.remembered?.marks[.suspicious]?.withheld, try !store.isGone(accepted)
        else { return nil }
        return accepted
    }

    private func picture(of row: PhotoRow) throws(DownloadsError) -> StaleFallback? {
        guard let shown = row.sha256 else { return nil }
        if try !store.isGone(shown) { return .original(shown, fetched: row.fetched) }
        var row = row
        // The photo can be shown without its earlier versions.
        row.pictures = row.pictures.filter { $0.version == nil || hasDerivative($0.fileName) }
        let isComplete = !row.pictures.isEmpty && row.pictures.allSatisfy { hasDerivative($0.fileName) }
        return isComplete ? .pictures(row) : nil
    }
}
