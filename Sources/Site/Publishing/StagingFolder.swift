internal import Dispatch
internal import Foundation
internal import Synchronization

/// The temporary folder in which new files are written before they are put in place. It is created for the first file.
/// Several threads can write files at once.
///
/// `@unchecked Sendable`: the state is behind a lock, and all other properties are constant. Threads that write need
/// `root` only to create the temporary folder, behind the lock. Meanwhile the publication's thread uses `root` outside
/// the lock only to look at existing files of the site. Then the output folder was opened when the site was listed, and
/// neither thread changes this; the subfolders are only used by the publication's thread. `close` waits for `write`.
final class StagingFolder: @unchecked Sendable {
    private let root: SiteRoot
    private let state = Mutex(State())
    /// The calls of `write` that have not returned.
    private let writing = DispatchGroup()
    /// The writebacks that run in the background, if any.
    private let writeback = DispatchGroup()
    /// The number of calls of `write` before the next writeback begins.
    private let writebackInterval: Int
    /// Makes everything that was written durable, if the file system reports errors of that. Tests replace it.
    private let syncAll: @Sendable (Folder) throws(SiteError) -> Void

    private struct State {
        var name = ""
        var folder: Folder?
        /// The number of files that were ever created. The next file is named by the next number.
        var count: Int32 = 0
        /// The permission bits that the umask gives to a new file; nil until the first file is created.
        var newMode: UInt32?
        /// The numbers of files that were written and are not yet in the publication's list.
        var unlisted: Set<Int32> = []
        var isFull = false
        /// The number of files that `write` has written since the last writeback began.
        var written = 0
        var isWritingBack = false
        /// The first error of a writeback.
        var writebackFailure: SiteError?
    }

    init(
        root: SiteRoot, writebackInterval: Int = 8192,
        syncAll: @escaping @Sendable (Folder) throws(SiteError) -> Void = { folder throws(SiteError) in
            if folder.syncAllReportsErrors { try folder.syncAll() }
        }
    ) {
        self.root = root
        self.writebackInterval = writebackInterval
        self.syncAll = syncAll
    }

    /// The open folder; nil while it does not exist.
    var folder: Folder? { state.withLock { $0.folder } }

    /// Whether the disk has been found to be full, so that no other file should be written.
    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Creates the folder if it does not exist.
    /// - Returns: the folder, and the number that names the next file.
    func next() throws(SiteError) -> (folder: Folder, number: Int32) {
        try state.withLock { state throws(SiteError) in
            let folder: Folder
            if let made = state.folder {
                folder = made
            } else {
                state.name = Staging.newName()
                folder = try root.create().createFolder(state.name)
                state.folder = folder
            }
            state.count += 1
            return (folder, state.count)
        }
    }

    /// Writes a new file. It is removed with the folder until `list` is called for it.
    /// - Parameter mode: returns the permission bits of the file for those that the umask gives it.
    /// - Returns: the number that names the file.
    /// - Throws: `SiteError.write` if the file can't be written, or `isFull` was set.
    func write(_ bytes: [UInt8], mode: (_ made: UInt32) -> UInt32) throws(SiteError) -> Int32 {
        // Another thread calls `close` as soon as the disk is full. It sets `isFull` before, so `close` waits for every
        // call that doesn't see that.
        writing.enter()
        defer { writing.leave() }
        guard !isFull else { throw .write(path: root.path, errno: ENOSPC) }
        let (folder, number) = try next()
        do throws(SiteError) {
            var file = try OpenFile(creating: String(number), in: folder)
            let made = try newMode(file)
            let wanted = mode(made)
            if wanted != made { try file.set(mode: wanted) }
            try file.write(bytes)
            try file.finish()
            let isWritebackDue = state.withLock { state in
                state.unlisted.insert(number)
                state.written += 1
                guard state.written >= writebackInterval, !state.isWritingBack else { return false }
                state.written = 0
                state.isWritingBack = true
                return true
            }
            if isWritebackDue { startWriteback(folder) }
            return number
        } catch {
            remove(String(number))
            throw error
        }
    }

    /// Begins to write to the disk what `write` has written since the last writeback began, unless that is little.
    func startWriteback() {
        let folder: Folder? = state.withLock { state in
            guard state.written > FileSystemSync.individualSyncLimit, let folder = state.folder else { return nil }
            state.written = 0
            state.isWritingBack = true
            return folder
        }
        if let folder { startWriteback(folder) }
    }

    /// Begins to write the new files to the disk in the background, so that the sync before the commit has less to wait
    /// for.
    private func startWriteback(_ folder: Folder) {
        DispatchQueue.global(qos: .userInitiated).async(group: writeback) { [self] in
            var failure: SiteError?
            do throws(SiteError) {
                try syncAll(folder)
            } catch .write(_, let code) {
                // The temporary folder is gone when the user reads this.
                failure = .write(path: root.path, errno: code)
            } catch {
                failure = error
            }
            state.withLock { state in
                state.isWritingBack = false
                state.writebackFailure = state.writebackFailure ?? failure
            }
        }
    }

    /// Waits for the writebacks that run. Must be called before the files are synced: a disk can report an error once,
    /// and success to the next call.
    /// - Throws: the first error of any writeback.
    func finishWriteback() throws(SiteError) {
        writeback.wait()
        if let failure = state.withLock({ $0.writebackFailure }) { throw failure }
    }

    /// Notes that a file that was written is in the publication's list now, so that its owner removes it.
    func list(_ number: Int32) { state.withLock { _ = $0.unlisted.remove(number) } }

    /// The permission bits of a new file. They are the same for all files in the folder.
    private func newMode(_ file: borrowing OpenFile) throws(SiteError) -> UInt32 {
        if let known = state.withLock({ $0.newMode }) { return known }
        let mode = try file.mode()
        state.withLock { $0.newMode = mode }
        return mode
    }

    /// Removes a file. A file that can't be removed now is removed together with the folder.
    func remove(_ name: String) {
        if let folder { unlinkat(folder.descriptor, name, 0) }
    }

    /// Removes the folder, in which no listed file may be left, and the folders that were created for its files. The
    /// next run removes whatever can't be removed now. Either no file is being written, or `isFull` was set before.
    func close() {
        writing.wait()
        let name = state.withLock { state in
            for number in state.unlisted {
                if let folder = state.folder { unlinkat(folder.descriptor, String(number), 0) }
            }
            state.unlisted = []
            state.folder = nil
            return state.name
        }
        root.removeCreated(temporary: name)
    }
}
