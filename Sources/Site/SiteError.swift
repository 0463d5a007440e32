internal import Foundation

/// Why the site could not be rendered or published. Until the last step of publishing the site is then what it was.
package enum SiteError: Error, Hashable, Sendable {
    /// Something that is not ours is where one of our files or folders must go.
    case foreign(path: String)
    /// The output folder can't be made or used; `errno` as of the call that failed.
    case cannotMake(path: String, errno: Int32)
    /// The output folder is a place where no site may be; `why` is the rest of the sentence, and what to do.
    case unsuitable(path: String, why: String)
    /// A file or folder could not be read, written or removed; `errno` as of the call that failed.
    case write(path: String, errno: Int32)
    /// There is no room for the new files of the site, of which the one at `path` was the first to meet it. `needed`
    /// is what all of them take, in bytes; `free` what there is, nil if that is not known.
    case full(path: String, errno: Int32, needed: Int64, free: Int64?)
    /// A template can't be used. `line` counts from 1.
    case template(file: String, line: Int, message: String)
    /// A slug that is not allowed as the name of a page.
    case slug(String)
}

extension SiteError: CustomStringConvertible {
    /// What happened, where, and what to do about it.
    package var description: String {
        switch self {
        case .foreign(let path):
            "\(path) was not created by gallerygen and is in the place of one of its files. "
                + "Move it away, or choose another output folder."
        case .cannotMake(let path, let errno):
            "The output folder \(path) can't be created or used: \(Self.words(errno))."
        case .unsuitable(let path, let why):
            "The output folder \(path) \(why)."
        case .write(let path, let errno):
            "\(path) can't be written: \(Self.words(errno))."
        case .full(let path, let errno, let needed, let free):
            "\(path) can't be written: \(Self.words(errno)). The new files of the site need \(needed) bytes"
                + (free.map { $0 < needed ? "; \($0) are free, \(needed - $0) more are needed." : "." } ?? ".")
        case .template(let file, let line, let message):
            "\(file):\(line): \(message)"
        case .slug(let slug):
            "\"\(slug)\" is not allowed as the name of a page."
        }
    }

    private static func words(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
