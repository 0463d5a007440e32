internal import Foundation

/// Counts the space that new files need while they are staged. Once the disk is full, the remaining files are only
/// counted, so that the error says how much space is needed.
struct SpaceAccounting {
    /// The path of the file for which space ran out, and `errno` of the failed call; nil if there is enough space.
    private var failure: (path: String, errno: Int32)?
    /// The space that all files need together, in bytes.
    private var needed: Int64 = 0

    /// The assumed block size of the file system, in bytes. Each file takes whole blocks.
    private static let blockSize: Int64 = 4096

    var isFull: Bool { failure != nil }

    mutating func count(_ bytes: Int64) { needed += Self.allocatedBytes(bytes) }

    mutating func discount(_ bytes: Int64) { needed -= Self.allocatedBytes(bytes) }

    private static func allocatedBytes(_ bytes: Int64) -> Int64 { (bytes + blockSize - 1) / blockSize * blockSize }

    /// Records that the disk is full or the quota is exhausted.
    /// - Throws: `error` itself if it has another cause.
    mutating func record(_ error: SiteError) throws(SiteError) {
        guard case .write(let path, let errno) = error, errno == ENOSPC || errno == EDQUOT else { throw error }
        failure = (path, errno)
    }

    /// - Parameter folder: the output folder, without any of the new files by the time of this call.
    /// - Throws: `SiteError.full` if space ran out.
    func check(_ folder: Folder?) throws(SiteError) {
        guard let failure else { return }
        // statvfs(2) doesn't say how much space a quota still allows.
        let free = failure.errno == ENOSPC ? folder?.freeBytes : nil
        throw .full(path: failure.path, errno: failure.errno, needed: needed, free: free)
    }
}
