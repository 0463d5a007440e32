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
    case finished(name: String)
}
