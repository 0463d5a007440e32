internal import PhotoModel

/// A file that is staged for the site.
struct StagedFile {
    /// The final path of the file, relative to the site.
    let path: String
    let number: Int32
    let step: Step
    /// The owned file that the path has now; nil if the path is free.
    var replaced: KnownFile?
    /// Whether the file is a hard link. Its content was made durable by the code that wrote it.
    var isLink = false
    /// The properties by which the staged file is recognised after it was put in place.
    var content = KnownFile()

    /// The file's name in the temporary folder.
    var name: String { String(number) }

    /// The name of the replaced file's hard link in the temporary folder, for file systems that can't exchange names.
    var oldName: String { "\(number).old" }

    /// The steps in which files are put in place. No file appears before the files that it refers to, even if both are
    /// new. Each step is made durable before the next one begins.
    enum Step: CaseIterable {
        /// New pictures, style sheets and scripts. No published file refers to them yet.
        case pictures
        /// The script that tells open pages about new pictures, and the index of the photos if it is new. Pages refer
        /// to both.
        case scripts
        /// New pages. They refer to one another, but no page that a visitor can already open links to them.
        case newPages
        /// Files that replace existing ones, and the files by which visitors enter the site.
        case existing
        /// status.json, which describes all photos, and then index.html, by which most visitors enter the site and
        /// from which all other pages are reached. Within a step files keep the order in which they were added, and
        /// status.json is added first.
        case frontPage

        init(_ path: String, isNew: Bool) {
            self =
                switch path {
                case SitePath.index, SitePath.status: .frontPage
                case SitePath.live: .scripts
                // An existing index is replaced after the pages that it links to are in place.
                case SitePath.photoIndex where isNew: .scripts
                case _ where !isNew || !path.contains("/"): .existing
                default: path.hasPrefix("images/") || path.hasPrefix("assets/") ? .pictures : .newPages
                }
        }
    }
}
