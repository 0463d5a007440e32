/// A photo that is not what it was before a build: it is new, has left the list, or has another state, reason,
/// original or mark.
package struct PhotoChange: Hashable, Sendable {
    /// The properties of a photo whose change is reported.
    package struct Condition: Hashable, Sendable {
        package let state: PhotoState
        /// Why the photo failed; nil if it did not.
        package let reason: Reason?
        /// Why an earlier picture is shown; nil if the picture is current.
        package let staleReason: Reason?
        /// The digest of the original that is shown; nil if there is none.
        package let original: Digest?
        package let marks: [PhotoMark]

        package init(
            state: PhotoState, reason: Reason?, staleReason: Reason?, original: Digest?, marks: [PhotoMark] = []
        ) {
            self.state = state
            self.reason = reason
            self.staleReason = staleReason
            self.original = original
            self.marks = marks
        }
    }

    /// The name of the photo; nil if it has left the list, because only lists have names.
    package let name: String?
    package let album: [String]
    package let slug: String
    /// nil for a new photo.
    package let old: Condition?
    /// nil for a photo that has left the list.
    package let new: Condition?

    package init(name: String?, album: [String], slug: String, old: Condition?, new: Condition?) {
        self.name = name
        self.album = album
        self.slug = slug
        self.old = old
        self.new = new
    }
}
