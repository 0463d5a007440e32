package import Manifest
package import PhotoModel

/// Events of a running build. They may come from any thread.
package enum BuildEvent: Sendable {
    /// Something that somebody should see to, though the build goes on.
    case warning(String)
    /// Another build is to end first; the error says which.
    case waiting(GalleryError)
    /// Something in a manifest that looks like a slip, or in a picture that somebody may want to know.
    case remark(String)
    /// The plan is made; nothing is changed yet.
    case planned(PlanReport)
    /// The list is read: so many photos, of which so many are as they should be and need no work.
    case began(total: Int, kept: Int)
    /// The operations of a photo that needed work have ended.
    case finished(FinishedPhoto)
}

/// A photo whose work has ended.
package struct FinishedPhoto: Sendable {
    package let name: String
    package let album: [String]
    package let slug: String
    package let position: TextPosition
    package let state: PhotoState
    /// Why it failed, or why it is stale; nil if all is well.
    package let reason: Reason?
    package let isStale: Bool
    /// The size of an original that came in this build; nil if none did.
    package let bytes: Int64?
    /// How long its transfers and its rendering took, without waiting.
    package let time: Duration
}

extension FinishedPhoto {
    /// - Parameter progress: the photo's progress before it was finalized, which has the bytes and the time.
    init(_ record: PhotoRecord, _ progress: PhotoRecord.Progress) {
        self.init(
            name: record.photo.name, album: record.photo.album, slug: record.slug, position: record.photo.position,
            state: record.state, reason: record.reason ?? record.staleReason, isStale: record.staleReason != nil,
            bytes: progress.bytes, time: progress.workTime)
    }
}

/// The piece of work that has taken longest of those that are under way.
package enum SlowWork: Sendable {
    case transfer(host: String, Duration)
    case filter(photo: String, Duration)

    package var time: Duration {
        switch self {
        case .transfer(_, let time), .filter(_, let time): time
        }
    }
}
