internal import Foundation
internal import PhotoModel

/// An advisory lock that admits one build at a time to a state folder or an output folder. The kernel releases it when
/// its process ends, however it ends. Before that, the lock is released with this value.
package struct FolderLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// The wait for a lock that another process holds: its deadline, and its cancellation.
    package struct LockWait: Sendable {
        /// The deadline of the wait; nil for no wait.
        package var deadline: ContinuousClock.Instant?
        /// Called once, before the wait, with the error that is thrown if the wait is in vain.
        package var began: @Sendable (GalleryError) -> Void = { _ in }
        package var isCancelled: @Sendable () -> Bool = { false }

        package init() {}

        package init(
            until deadline: ContinuousClock.Instant, began: @escaping @Sendable (GalleryError) -> Void,
            isCancelled: @escaping @Sendable () -> Bool
        ) {
            self.deadline = deadline
            self.began = began
            self.isCancelled = isCancelled
        }
    }

    /// The poll interval in seconds. flock(2) has no timeout and can't be cancelled, so a waiting build polls.
    private static let pollInterval = 0.05

    /// - Parameter holder: a description of this build for other processes, in one line.
    /// - Throws: `GalleryError.locked` if another process holds the lock, `.interrupted` if the wait was cancelled.
    package init(path: String, holder: String, lockWait: LockWait = LockWait()) throws(GalleryError) {
        descriptor = try Self.acquire(lockWait) { () throws(GalleryError) in try Self.attempt(path) }
        // The text is only for the message of a second build. The lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = holder.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    /// Locks a folder itself. No file is created in it.
    /// - Parameter make: a closure that creates the folder if it is missing, because the last holder might have removed
    ///   it.
    /// - Returns: nil if the file system does not support locks on folders, as some network file systems don't.
    package init?(
        folder: String, lockWait: LockWait = LockWait(), making make: () throws(GalleryError) -> Void = {}
    ) throws(GalleryError) {
        let held = try Self.acquire(lockWait) { () throws(GalleryError) in try Self.attempt(folder: folder, make) }
        guard held >= 0 else { return nil }
        descriptor = held
    }

    /// Calls `work` under a shared lock. Until it returns, no other process can take the exclusive lock, but others can
    /// share it. Nothing is written.
    /// - Parameter work: receives whether another process holds the exclusive lock, or the lock can't be tested. In
    ///   both cases `work` runs without a lock.
    static func sharing<Result>(_ path: String, _ work: (_ isHeld: Bool) -> Result) -> Result {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        return work(descriptor < 0 || flock(descriptor, LOCK_SH | LOCK_NB) != 0)
    }

    /// Releases the lock, so that the next build can begin.
    package consuming func release() {}

    deinit { close(descriptor) }

    private enum Attempt {
        case acquired(Int32)
        case refused(GalleryError)
    }

    private static func acquire(
        _ lockWait: LockWait, _ attempt: () throws(GalleryError) -> Attempt
    ) throws(GalleryError) -> Int32 {
        var isFirst = true
        while true {
            switch try attempt() {
            case .acquired(let descriptor): return descriptor
            case .refused(let error):
                guard let deadline = lockWait.deadline, .now < deadline else { throw error }
                if isFirst { lockWait.began(error) }
                isFirst = false
                if lockWait.isCancelled() { throw .interrupted }
                Thread.sleep(forTimeInterval: pollInterval)
            }
        }
    }

    private static func attempt(_ path: String) throws(GalleryError) -> Attempt {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw failure(path, "the lock can't be opened", errno) }
            GroupAccess(ofFolderAt: (path as NSString).deletingLastPathComponent)?.apply(to: descriptor)
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                let code = errno
                let other = code == EWOULDBLOCK ? read(descriptor) : ""
                close(descriptor)
                guard code == EWOULDBLOCK else { throw failure(path, "it can't be locked", code) }
                return .refused(.locked(path: path, holder: other.isEmpty ? "its process is unknown" : other))
            }
            if isSameFile(descriptor, at: path) { return .acquired(descriptor) }
            // The state folder was removed while this process waited, so the lock belongs to a file that no longer
            // exists.
            close(descriptor)
        }
    }

    private static func attempt(
        folder: String, _ make: () throws(GalleryError) -> Void
    ) throws(GalleryError) -> Attempt {
        while true {
            try make()
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if descriptor < 0 && errno == ENOENT { continue }
            guard descriptor >= 0 else { throw failure(folder, "it can't be opened", errno) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                if isSameFile(descriptor, at: folder) { return .acquired(descriptor) }
                close(descriptor)
                continue
            }
            let code = errno
            close(descriptor)
            return code == EWOULDBLOCK ? .refused(lockedError(folder)) : .acquired(-1)
        }
    }

    private static func lockedError(_ folder: String) -> GalleryError {
        .locked(path: folder, holder: "it uses the same output folder with another state folder")
    }

    private static func failure(_ path: String, _ what: String, _ code: Int32) -> GalleryError {
        .storage(path: path, .system(errno: code, action: what))
    }

    private static func isSameFile(_ descriptor: Int32, at path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    private static func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
