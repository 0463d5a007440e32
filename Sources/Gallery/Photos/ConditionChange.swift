internal import Ledger
internal import PhotoModel

/// The condition in which a photo was before it changed. The payload is indirect, because most photos of a gallery
/// have none.
indirect enum ConditionChange {
    /// The photo is new.
    case added
    case from(PhotoChange.Condition)

    /// - Returns: nil if the photo is in the same condition as before.
    init?(from old: PhotoRow?, to new: PhotoRow) {
        guard let old else {
            self = .added
            return
        }
        let condition = PhotoChange.Condition(old)
        guard condition != PhotoChange.Condition(new) else { return nil }
        self = .from(condition)
    }

    /// The earlier condition; nil for a new photo.
    var old: PhotoChange.Condition? {
        if case .from(let condition) = self { condition } else { nil }
    }
}

extension PhotoChange.Condition {
    init(_ photo: PhotoRow) {
        self.init(
            state: photo.state, reason: photo.reason, staleReason: photo.stale?.reason, original: photo.sha256,
            marks: photo.marks)
    }
}

extension PhotoChange {
    /// - Parameter row: the last row of a photo that has left the list.
    init(removed row: PhotoRow) {
        self.init(
            name: nil, album: [], slug: row.slug, old: PhotoChange.Condition(row), new: nil)
    }
}
