internal import Foundation
package import Site
internal import Synchronization

/// The locks of one run: that of its state folder, and that of its output folder, which two runs with state folders of
/// their own would share.
package final class GalleryLocks: Sendable {
    /// Whether no other run may work in the output folder; false where there is none, or where folders have no locks.
    let holdsOutput: Bool
    private let held: Mutex<Held>

    private struct Held: ~Copyable {
        var state: FolderLock?
        var output: FolderLock?
        /// Folders that were made to be locked.
        var made: [String] = []
    }

    /// Locks the state folder, and the output folder. Whatever a run reads, it reads after this: the process that
    /// held a lock until now may have changed all of it.
    /// - Parameters:
    ///   - state: nil for a run that uses none.
    ///   - makesOutput: whether an output folder that is not there is made; else it is locked only where it is there.
    ///   - permissions: of an output folder that is made; nil: by the umask.
    ///   - holder: what to tell others about this run, one line.
    /// - Throws: `GalleryError.locked` when another process holds one of them, `.interrupted` when it was cancelled
    ///   while it waited, `.site` when the output folder can't be made.
    package init(
        state: StateFolder?, output: String, makesOutput: Bool, permissions: SitePermissions? = nil, holder: String,
        lockWait: FolderLock.LockWait
    ) throws(GalleryError) {
        var held = Held()
        if let state { held.state = try FolderLock(path: state.lock, holder: holder, lockWait: lockWait) }
        if makesOutput || Self.isFolder(output) {
            var made: [String] = []
            do throws(GalleryError) {
                held.output = try FolderLock(folder: output, lockWait: lockWait) { () throws(GalleryError) in
                    if makesOutput { made += try Self.make(output, permissions) }
                }
            } catch {
                switch error {
                // The holder of the lock works in this folder, be it empty or not.
                case .locked, .interrupted: break
                default: FolderChain.unmake(made)
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

    private static func make(_ folder: String, _ permissions: SitePermissions?) throws(GalleryError) -> [String] {
        do throws(SiteError) {
            let made = try FolderChain.make(folder, permissions)
            try FolderChain.sync(made)
            return made
        } catch {
            throw .site(error)
        }
    }

    /// Lets the next run begin, and removes an output folder into which nothing was put after all.
    package func release() {
        held.withLock { held in
            FolderChain.unmake(held.made)
            held.made = []
            held.output = nil
            held.state = nil
        }
    }
}
