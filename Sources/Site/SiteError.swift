internal import PhotoModel

/// Why the site could not be rendered or published. Whenever it is thrown, the site is as it was before, unless the
/// last step of a publication has begun.
package enum SiteError: Error, Hashable, Sendable {
    /// A file or folder that gallerygen doesn't own has the path of one of its files or folders.
    case foreign(path: String)
    /// The output folder can't be created or used. `errno` is that of the failed call.
    case cannotCreate(path: String, errno: Int32)
    /// The output folder is not allowed. `why` is the rest of the sentence in the message, and says what to do.
    case unsuitable(path: String, why: String)
    /// A file or folder could not be read, written or removed. `errno` is that of the failed call.
    case write(path: String, errno: Int32)
    /// The disk has too little space for the new files of the site, and the file at `path` was the first to fail.
    /// `needed` is the space for all of them in bytes; `free` is the free space in bytes, nil if it is unknown.
    case full(path: String, errno: Int32, needed: Int64, free: Int64?)
    /// A template can't be used. `line` is counted from 1.
    case template(file: String, line: Int, message: String)
    /// A slug that can't be the name of a page.
    case slug(String)
}

extension SiteError: CustomStringConvertible {
    /// The message for people: what happened, where, and what to do.
    package var description: String {
        switch self {
        case .foreign(let path):
            "\(path) was not created by gallerygen and is in the place of one of its files. "
                + "Move it away, or choose another output folder."
        case .cannotCreate(let path, let errno):
            "The output folder \(path) can't be created or used: \(systemMessage(errno))."
        case .unsuitable(let path, let why):
            "The output folder \(path) \(why)."
        case .write(let path, let errno):
            "\(path) can't be written: \(systemMessage(errno))."
        case .full(let path, let errno, let needed, let free):
            "\(path) can't be written: \(systemMessage(errno)). The new files of the site need \(needed) bytes"
                + (free.map { $0 < needed ? "; \($0) are free, \(needed - $0) more are needed." : "." } ?? ".")
        case .template(let file, let line, let message):
            "\(file):\(line): \(message)"
        case .slug(let slug):
            "\"\(slug)\" is not allowed as the name of a page."
        }
    }
}
