internal import Foundation

/// An advisory lock: one build at a time in a state folder, one publication at a time in an output folder. The kernel
/// drops it when its process ends, however it ends.
package struct FolderLock {
    private let descriptor: Int32

    /// - Parameter holder: what to tell others about this build, one line.
    /// - Throws: `GalleryError.locked` when another process holds it.
    package init(path: String, holder: String) throws(GalleryError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw .storage(path: path, detail: "the lock can't be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let other = Self.read(descriptor)
            close(descriptor)
            throw .locked(path: path, holder: other.isEmpty ? "it does not say which" : other)
        }
        // What is written is only for the message of a second build: the lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = holder.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    /// Locks an existing folder itself, in which nothing may be written.
    package init(folder: String) throws(GalleryError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .storage(path: folder, detail: "it can't be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .locked(path: folder, holder: "it is publishing into the same output folder")
        }
    }

    private static func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Lets the next build begin. To be called once.
    package func release() { close(descriptor) }
}
