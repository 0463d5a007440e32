internal import Foundation
package import PhotoModel

extension FileStamp {
    /// Reads the stamp of the file at `path` without opening it. Symbolic links are followed. The result is nil if the
    /// file can't be examined.
    package init?(ofFileAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.init(
            size: Int64(status.st_size), modifiedNanoseconds: modified.nanosecondsSince1970,
            changedNanoseconds: changed.nanosecondsSince1970, inode: UInt64(status.st_ino))
    }

    /// The resolution of the coarsest timestamps in use, those of FAT, in nanoseconds: 2 s.
    private static let coarsestResolution: Int64 = 2_000_000_000

    /// Whether the file was last changed so long before `moment` that a change after `moment` must alter the stamp. A
    /// file that was changed more recently could be written again within one tick of the file system's clock and keep
    /// its stamp.
    ///
    /// - Parameter moment: nanoseconds since 1970, not later than the time at which the file was read.
    func detectsChanges(after moment: Int64) -> Bool {
        max(modifiedNanoseconds, changedNanoseconds) <= moment - Self.coarsestResolution
    }
}

extension timespec {
    /// The time in nanoseconds since 1970. It saturates for the absurd dates that some file systems hold.
    fileprivate var nanosecondsSince1970: Int64 {
        let (whole, overflow) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (tv_sec < 0 ? .min : .max) : whole &+ Int64(tv_nsec)
    }
}
