internal import Foundation
package import Site
internal import Synchronization

/// The locks of one run: that of its state folder and that of its output folder. Two runs with different state folders
/// can have the same output folder.
package final class GalleryLocks: Sendable {
    /// Whether the output folder is locked. It is not if it does not exist, or if its file system has no locks on
    /// folders.
    let holdsOutput: Bool
    private let held: Mutex<Held>

    private struct Held: ~Copyable {
        var state: FolderLock?
        var output: FolderLock?
        /// The folders that were created in order to be locked.
        var made: [String] = []
    }

    /// Locks the state folder and the output folder. Whatever a run reads, it reads after this, because the last holder
    /// of a lock might have changed all of it.
    /// - Parameters:
    ///   - state: the state folder; nil for a run that uses none.
    ///   - createsOutput: whether a missing output folder is created. If not, the output folder is locked only if it
    ///     exists.
    ///   - permissions: the permissions of a new output folder; nil to leave them to the umask.
    ///   - holder: a description of this run for other processes, in one line.
    /// - Throws: `GalleryError.locked` if another process holds one of them, `.interrupted` if the wait was cancelled,
    ///   `.site` if the output folder can't be created.
    package init(
        state: StateFolder?, output: String, createsOutput: Bool, permissions: SitePermissions? = nil, holder: String,
        lockWait: FolderLock.LockWait
    ) throws(GalleryError) {
        var held = Held()
        if let state { held.state = try FolderLock(path: state.lock, holder: holder, lockWait: lockWait) }
        if createsOutput || Self.isFolder(output) {
            var made: [String] = []
            do throws(GalleryError) {
                held.output = try FolderLock(folder: output, lockWait: lockWait) { () throws(GalleryError) in
                    if createsOutput { made += try Self.create(output, permissions) }
                }
            } catch {
                switch error {
                // The holder of the lock is using this folder, so it stays even if it is empty.
                case .locked, .interrupted: break
                default: FolderChain.removeEmpty(made)
                }
                throw error
            }
            held.made = made
        }
        holdsOutput = held.output != nil
        self.held = Mutex(held)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func create(_ folder: String, _ permissions: SitePermissions?) throws(GalleryError) -> [String] {
        do throws(SiteError) {
            let made = try FolderChain.create(folder, permissions)
            try FolderChain.sync(made)
            return made
        } catch {
            throw .site(error)
        }
    }

    /// Releases the locks, so that the next run can begin, and removes a new output folder that is still empty.
    package func release() {
        held.withLock { held in
            FolderChain.removeEmpty(held.made)
            held.made = []
            held.output = nil
            held.state = nil
        }
    }
}
