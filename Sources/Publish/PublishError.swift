internal import Foundation
internal import PhotoModel

/// Why a site could not be published. The site on this machine is what it was, and the next publication completes what
/// this one began.
package enum PublishError: Error, Hashable, Sendable {
    /// Something at the target that is not ours is in the place of a file of the site, or of our list. The first of
    /// `count` is at `path`.
    case foreign(target: String, path: String, count: Int)
    /// The target is a place where no site may be published; `why` is the rest of the sentence.
    case unsuitable(target: String, why: String)
    /// The target could not be reached, or refused; `detail` is a clause.
    case refused(target: String, detail: String)
    /// The target has lost the list of published files.
    case forgotten(target: String)
    /// More files would have to be removed than is allowed.
    case tooManyRemovals(target: String, removals: Int, limit: Int)
    /// A file of the site can't be read.
    case unreadable(path: String, detail: String)
    /// A file of the site is not what the last build left.
    case changed(path: String)
    /// There is no site in the output folder.
    case noSite(path: String)
    /// What the state folder is to remember can't be read or written.
    case memory(path: String, errno: Int32)
    case interrupted
}

extension PublishError {
    /// What happened, where, and what to do.
    package var message: String {
        switch self {
        case .foreign(let target, let path, let count):
            "\(target): \(path)\(count > 1 ? " and \(counted(count - 1, "more file")) are" : " is") not known as "
                + "gallerygen's and in the place of the site's own files; nothing was sent. "
                + "Move what is there away, or choose another target."
        case .unsuitable(let target, let why): "\(target) \(why)"
        case .refused(let target, let detail): "\(target): \(detail)"
        case .forgotten(let target):
            "\(target): the list of published files, \(PublishedList.fileName), is not there any more. "
                + "If the target was emptied on purpose, publish with --verify; if not, check that it is mounted."
        case .tooManyRemovals(let target, let removals, let limit):
            "\(target): everything is sent, but \(counted(removals, "file")) would have to be removed, more than "
                + "--max-delete \(limit) allows; nothing was removed. Use --max-delete \(removals) to remove them."
        case .unreadable(let path, let detail): "\(path) can't be read: \(detail)"
        case .changed(let path):
            "\(path) is missing or is not what the last build wrote; run gallerygen build first"
        case .noSite(let path): "\(path) has no site; run gallerygen build first"
        case .memory(let path, let errno): "\(path): \(String(cString: strerror(errno)))"
        case .interrupted: "interrupted; the next publication completes this one"
        }
    }
}
