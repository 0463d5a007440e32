internal import Site

/// A step of a publication. Each ends before the next begins, so that nothing is at the target before what it refers
/// to.
package enum PublishPhase: Int, CaseIterable, Comparable, Sendable {
    /// Pictures, styles and scripts with a hash in their names: nothing refers to new ones yet.
    case pictures
    /// The first index of the photos, to which pages refer. A later one goes in with the lists, after the pages to
    /// which it leads.
    case scripts
    /// Pages at new addresses, to which no page at the target leads yet.
    case newPages
    /// Pages that replace others.
    case changedPages
    /// status.json, the feed and the other files beside the pages.
    case lists
    /// index.html, from which all others are reached.
    case frontPage

    /// - Parameter isNew: whether the target has no file at the path.
    package init(_ path: String, isNew: Bool) {
        self =
            switch path {
            case SitePath.index: .frontPage
            case SitePath.photoIndex where isNew, SitePath.live: .scripts
            case _ where SitePath.isNamedByContent(path): .pictures
            case _ where !path.contains("/"): .lists
            default: isNew ? .newPages : .changedPages
            }
    }

    /// The phase as people read of it.
    package var group: PublishGroup {
        switch self {
        case .pictures, .scripts: .pictures
        case .newPages, .changedPages: .pages
        case .lists, .frontPage: .index
        }
    }

    package static func < (earlier: Self, later: Self) -> Bool { earlier.rawValue < later.rawValue }
}

/// The phases of a publication in words and in `--plan`.
package enum PublishGroup: String, CaseIterable, Sendable {
    case pictures, pages, index
}

/// The order in which files are removed: lists of photos before the pages to which they link, and these before their
/// pictures.
enum RemovalOrder: Int, Comparable {
    case lists, photoPages, others

    init(_ path: String) {
        self = !path.hasSuffix(".html") ? .others : path.hasPrefix("photo/") ? .photoPages : .lists
    }

    static func < (earlier: Self, later: Self) -> Bool { earlier.rawValue < later.rawValue }
}
