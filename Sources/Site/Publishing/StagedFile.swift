internal import PhotoModel

/// A file on its way into the site.
struct StagedFile {
    /// Where it will appear, relative to the site.
    let path: String
    let number: Int32
    let step: Step
    /// What of ours stands at the path; nil if nothing does.
    let replaced: KnownFile?
    /// A hard link: who made the file has seen to it that its content lasts.
    var isLink = false
    /// By what the file itself is known again.
    var content = KnownFile()

    /// Its name among those that wait.
    var name: String { String(number) }

    /// The second name there of the file that it replaces, where the two can't be exchanged.
    var oldName: String { "\(number).old" }

    /// In what order files appear: nothing before what it refers to, also when both are new. Each step is on the disk
    /// before the next begins.
    enum Step: CaseIterable {
        /// New pictures, styles and scripts: nothing refers to them yet.
        case pictures
        /// What tells open pages of new pictures, and a first index of the photos: pages refer to them.
        case scripts
        /// New pages: they refer to one another, and no page that a reader can come from leads to them yet.
        case newPages
        /// What there is already, and the files by which a reader comes in.
        case existing
        /// By which most come in, and from which all others are reached.
        case frontPage

        init(_ path: String, isNew: Bool) {
            self =
                switch path {
                case SitePath.index: .frontPage
                case SitePath.live: .scripts
                // An index that was there goes in after the pages to which it leads.
                case SitePath.photoIndex where isNew: .scripts
                case _ where !isNew || !path.contains("/"): .existing
                default: path.hasPrefix("images/") || path.hasPrefix("assets/") ? .pictures : .newPages
                }
        }
    }
}
