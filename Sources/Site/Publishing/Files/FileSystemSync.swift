internal import CFileCalls
internal import Foundation

/// The policy on when a whole file system is synced instead of single files.
package enum FileSystemSync {
    /// The number of files up to which each file is synced by itself. For more files, one syncfs(2) costs less.
    package static let individualSyncLimit = 16
}

extension Folder {
    /// Whether `syncAll` reports write errors of this file system. If not, fsync(2) has to be called for each file.
    package var syncAllReportsErrors: Bool { file_sync_all_reports(descriptor) == 1 }

    /// Makes everything that was written to the folder's file system durable.
    /// - Throws: `SiteError.write` if any write to the file system has failed since this folder was opened, even a
    ///   write of another program.
    package func syncAll() throws(SiteError) {
        guard file_sync_all(descriptor) == 0 else { throw .write(path: path, errno: errno) }
    }
}

/// A folder that is held open while files are written in it, so that syncfs(2) reports the errors of these writes.
package final class SyncedFolder: Sendable {
    private let path: String
    /// -1 if the folder can't be opened. Each file has to be synced by itself then.
    private let descriptor: Int32
    /// Whether one call reports the write errors of all files that were written since this object was created.
    package let reportsErrors: Bool

    package init(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        reportsErrors = descriptor >= 0 && file_sync_all_reports(descriptor) == 1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Makes everything that was written to the file system durable.
    /// - Throws: `SiteError.write` if a write to the file system has failed since this object was created.
    package func syncAll() throws(SiteError) {
        guard file_sync_all(descriptor) == 0 else { throw .write(path: path, errno: errno) }
    }

    /// Makes files of the folder durable: each by itself, or all with one call if there are many.
    package func sync(_ names: [String]) throws(SiteError) {
        if names.count > FileSystemSync.individualSyncLimit, reportsErrors { return try syncAll() }
        for name in names { try OpenFile(reading: path + "/" + name).sync() }
    }
}
