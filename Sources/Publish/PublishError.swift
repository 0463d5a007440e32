internal import PhotoModel

/// A reason why a site was not published, or why it was published without removals. The site on this machine is
/// unchanged, and the next publication completes the one that failed.
package enum PublishError: Error, Hashable, Sendable {
    /// A file or folder at the target that is not ours is in the place of a file of the site, or of our list. The first
    /// of `count` is at `path`.
    case foreign(target: String, path: String, count: Int)
    /// The target has the site of another gallery, with `pages` photo pages.
    case otherSite(target: String, pages: Int)
    /// No site may be published to the target. `why` is the rest of a sentence that begins with the target.
    case unsuitable(target: String, why: String)
    /// The target could not be reached, or it refused a request. `detail` is a clause.
    case refused(target: String, detail: String)
    /// The list of published files has vanished from the target.
    case forgotten(target: String)
    /// More files than allowed would have to be removed. In a dry run, nothing was sent either.
    case tooManyRemovals(target: String, removals: Int, limit: Int, isDryRun: Bool = false)
    /// A file of the site can't be read.
    case unreadable(path: String, detail: String)
    /// A file of the site is not as the last build wrote it.
    case changed(path: String)
    /// There is no site in the output folder.
    case noSite(path: String)
    /// The copy of the target's list in the state folder, or a temporary folder, can't be read or written.
    case cache(path: String, errno: Int32)
    case interrupted
}

extension PublishError {
    /// The message for users: what happened, where, and what to do.
    package var message: String {
        switch self {
        case .foreign(let target, PublishedList.fileName, 1):
            "\(target): \(PublishedList.fileName) is not known as gallerygen's list of published files, or is damaged; "
                + "nothing was sent. Move it away and publish again, with --verify if this machine has published there "
                + "before. Files that are not known as gallerygen's then are left unchanged."
        case .foreign(let target, let path, let count):
            "\(target): \(path)\(count > 1 ? " and \(counted(count - 1, "more file")) are" : " is") not known as "
                + "gallerygen's and in the place of the site's own files, and \(count > 1 ? "were" : "was") left "
                + "unchanged. Move \(count > 1 ? "them" : "it") away, or choose another target."
        case .otherSite(let target, let pages):
            "\(target): there is another site with \(counted(pages, "photo page")), most of which this site "
                + "does not have; nothing was sent. Choose another target, or replace that site with --verify."
        case .unsuitable(let target, let why): "\(target) \(why)"
        case .refused(let target, let detail): "\(target): \(detail)"
        case .forgotten(let target):
            "\(target): the list of published files, \(PublishedList.fileName), is not there any more. "
                + "If the target was emptied on purpose, publish with --verify; if not, check that it is mounted."
        case .tooManyRemovals(let target, let removals, let limit, let isDryRun):
            "\(target): everything \(isDryRun ? "would be" : "is") sent, but \(counted(removals, "file")) would have "
                + "to be removed, more than --max-delete \(limit) allows; nothing \(isDryRun ? "would be" : "was") "
                + "removed. Use --max-delete \(removals) to remove them."
        case .unreadable(let path, let detail): "\(path) can't be read: \(detail)"
        case .changed(let path):
            "\(path) is missing or is not what the last build wrote; run gallerygen build first"
        case .noSite(let path): "\(path) has no site; run gallerygen build first"
        case .cache(let path, let errno): "\(path): \(systemMessage(errno))"
        case .interrupted: "interrupted; the next publication completes this one"
        }
    }
}
