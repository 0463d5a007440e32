internal import CFileCalls
internal import Foundation

/// When all that a file system holds is brought to its disk at once, in the place of single files.
package enum DiskSync {
    /// With more files than this, one call for all costs less than one for each.
    package static let filesSyncedOneByOne = 16
}

extension Folder {
    /// Whether `syncAll` tells what the disk has lost. Else each file has to be asked.
    package var syncReports: Bool { file_sync_all_reports(descriptor) == 1 }

    /// Makes all that was written to the folder's file system last through a power cut.
    /// - Throws: `SiteError.write` also for what was lost since this folder was opened, be it somebody else's.
    package func syncAll() throws(SiteError) {
        guard file_sync_all(descriptor) == 0 else { throw .write(path: path, errno: errno) }
    }
}

/// A folder that is held open while files are written there, to be told of what the disk loses of them.
package final class SyncedFolder: Sendable {
    private let path: String
    /// -1 where the folder can't be opened: then each file is asked.
    private let descriptor: Int32
    /// Whether one call tells of all files that were written since this was made.
    package let reports: Bool

    package init(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        reports = descriptor >= 0 && file_sync_all_reports(descriptor) == 1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Makes what was written last through a power cut.
    /// - Throws: `SiteError.write` for what the disk has lost since this was made.
    package func syncAll() throws(SiteError) {
        guard file_sync_all(descriptor) == 0 else { throw .write(path: path, errno: errno) }
    }
}
