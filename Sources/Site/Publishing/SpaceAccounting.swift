internal import Foundation

/// Counts the space that new files take while they are staged. Once the disk is full, the rest is only counted, so that
/// the error says how much space is needed.
struct SpaceAccounting {
    /// The file that met a full disk, with `errno` of that call; nil if none did.
    private var failure: (path: String, errno: Int32)?
    /// The size of all files together, in bytes.
    private var needed: Int64 = 0

    /// In which a disk gives its room away.
    private static let block: Int64 = 4096

    var isFull: Bool { failure != nil }

    mutating func count(_ bytes: Int64) { needed += Self.room(bytes) }

    mutating func discount(_ bytes: Int64) { needed -= Self.room(bytes) }

    private static func room(_ bytes: Int64) -> Int64 { (bytes + block - 1) / block * block }

    /// Takes note of a full disk or quota.
    /// - Throws: any other error.
    mutating func note(_ error: SiteError) throws(SiteError) {
        guard case .write(let path, let errno) = error, errno == ENOSPC || errno == EDQUOT else { throw error }
        failure = (path, errno)
    }

    /// - Parameter folder: the site's, by now without any of the new files.
    /// - Throws: `SiteError.full` if room ran out.
    func check(_ folder: Folder?) throws(SiteError) {
        guard let failure else { return }
        // The space that a quota still allows is unknown.
        let free = failure.errno == ENOSPC ? folder?.freeBytes : nil
        throw .full(path: failure.path, errno: failure.errno, needed: needed, free: free)
    }
}
