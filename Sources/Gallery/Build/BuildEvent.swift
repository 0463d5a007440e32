internal import Ledger
package import Manifest
package import PhotoModel

/// Events of a running build. They can come from any thread.
package enum BuildEvent: Sendable {
    /// A problem that needs attention. The build continues.
    case warning(String)
    /// Another build must end first; the error names it.
    case waiting(GalleryError)
    /// A likely mistake in a manifest, or a fact about a picture that the user might want to know.
    case remark(String)
    /// The plan is made. Nothing has changed yet.
    case planned(PlanReport)
    /// The build can need much more memory from now on than for its plan.
    case needsMemory
    /// The list is read: it has `total` photos, of which `unchanged` are up to date and need no work.
    case began(total: Int, unchanged: Int)
    /// The operations of a photo that needed work have ended. The closure describes the photo, because only a JSON log
    /// needs that. It must be called before the handler of the event returns: the photo can still change afterwards.
    case finished(@Sendable () -> FinishedPhoto)
}

/// A photo whose work has ended.
package struct FinishedPhoto: Sendable {
    package let name: String
    package let album: [String]
    package let slug: String
    package let position: TextPosition
    package let state: PhotoState
    /// Why the photo failed, or why it is stale; nil if it is neither.
    package let reason: Reason?
    package let isStale: Bool
    package let marks: [PhotoMark]
    /// The size of the original in bytes, if this build received one.
    package let bytes: Int64?
    /// The time that transfers and rendering took, without waiting.
    package let time: Duration
}

extension FinishedPhoto {
    /// - Parameters:
    ///   - progress: the photo's progress before it was finalized, which still has the bytes and the time.
    ///   - now: the time of the build in seconds since 1970.
    init(_ record: PhotoRecord, _ progress: PhotoRecord.Progress, now: Int64) {
        let row = record.row(now: now)
        self.init(
            name: record.photo.name, album: record.photo.album, slug: record.slug, position: record.photo.position,
            state: row.state, reason: row.reason ?? row.stale?.reason, isStale: row.stale != nil, marks: row.marks,
            bytes: progress.bytes, time: progress.workTime)
    }
}

/// The running transfer or filter that has taken longest.
package enum SlowWork: Sendable {
    case transfer(host: String, Duration)
    case filter(photo: String, Duration)

    package var time: Duration {
        switch self {
        case .transfer(_, let time), .filter(_, let time): time
        }
    }
}
