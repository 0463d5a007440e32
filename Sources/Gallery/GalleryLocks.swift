internal import Foundation
internal import Site
internal import Synchronization

/// The locks of one run: that of its state folder, and that of its output folder, which two runs with state folders of
/// their own would share.
package final class GalleryLocks: Sendable {
    private let output: String
    private let patience: FolderLock.Patience
    private let held: Mutex<Held>

    private struct Held {
        var state: FolderLock?
        var output: FolderLock?
        /// Whether the output folder was locked, or cannot be.
        var hasOutput = false
        /// Folders that were made to be locked.
        var made: [String] = []
    }

    /// Locks the state folder, and the output folder if it is there.
    /// - Parameters:
    ///   - state: nil for a run that uses none.
    ///   - holder: what to tell others about this run, one line.
    /// - Throws: `GalleryError.locked` when another process holds one of them, `.interrupted` when it was cancelled
    ///   while it waited.
    package init(
        state: StateFolder?, output: String, holder: String, patience: FolderLock.Patience
    ) throws(GalleryError) {
        self.output = output
        self.patience = patience
        var lock: FolderLock?
        if let state { lock = try FolderLock(path: state.lock, holder: holder, patience: patience) }
        held = Mutex(Held(state: lock))
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), isFolder.boolValue else { return }
        do {
            try lockOutput()
        } catch {
            release()
            throw error
        }
    }

    /// Whether no other run may work in the output folder; false while there is none, or where folders have no locks.
    var holdsOutput: Bool { held.withLock { $0.output != nil } }

    /// Locks the output folder, unless that is done, and makes it if it is not there yet.
    package func lockOutput() throws(GalleryError) {
        guard !held.withLock(\.hasOutput) else { return }
        let lock: FolderLock?
        do {
            lock = try FolderLock(folder: output, patience: patience, making: make)
        } catch {
            switch error {
            // Whoever holds it is at work in there, be it empty or not.
            case .locked, .interrupted: held.withLock { $0.made = [] }
            default: break
            }
            throw error
        }
        held.withLock {
            $0.output = lock
            $0.hasOutput = true
        }
    }

    private func make() throws(GalleryError) {
        do throws(SiteError) {
            let made = try FolderChain.make(output)
            held.withLock { $0.made += made }
            try FolderChain.sync(made)
        } catch {
            throw .site(error)
        }
    }

    /// Lets the next run begin, and removes an output folder into which nothing was put after all.
    package func release() {
        held.withLock { held in
            FolderChain.unmake(held.made)
            held.output?.release()
            held.state?.release()
            held = Held()
        }
    }
}
