internal import Site

/// A phase of a publication. Each phase ends before the next begins, so that a file is sent only after the files that
/// it refers to.
package enum PublishPhase: Int, CaseIterable, Comparable, Sendable {
    /// Pictures, styles and scripts with a hash in their names. No page refers to new ones yet.
    case pictures
    /// The first index of the photos, to which pages refer. Later ones are sent with the lists, after the pages to
    /// which they lead.
    case scripts
    /// Pages at new addresses, to which no page at the target links yet.
    case newPages
    /// Pages that replace others.
    case changedPages
    /// The files at the top of the site except index.html, such as status.json and the feed.
    case lists
    /// index.html, from which all other pages are reached.
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

    /// The group under which messages and `--plan` show the phase.
    package var group: PublishGroup {
        switch self {
        case .pictures, .scripts: .pictures
        case .newPages, .changedPages: .pages
        case .lists, .frontPage: .index
        }
    }

    package static func < (earlier: Self, later: Self) -> Bool { earlier.rawValue < later.rawValue }
}

/// The phases of a publication as messages and `--plan` show them.
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

    /// The paths in groups, each of which must be removed before the next. Within a group, the order does not matter.
    static func steps(_ paths: [String]) -> [[String]] {
        Dictionary(grouping: paths, by: { RemovalOrder($0) }).sorted { $0.key < $1.key }.map(\.value)
    }

    static func < (earlier: Self, later: Self) -> Bool { earlier.rawValue < later.rawValue }
}
