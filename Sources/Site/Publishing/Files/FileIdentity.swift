internal import Foundation
internal import PhotoModel

/// The identity of a regular file, which tells it from a later file of the same name: its inode with its size and the
/// time of its last change. A new mode or name changes none of these.
struct FileIdentity: Hashable {
    let inode: UInt64
    /// A hash of size and time, because a large site holds many identities.
    private let content: UInt64

    /// - Returns: nil for what is no regular file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if os(Linux)
            let changed = status.st_mtim
        #else
            let changed = status.st_mtimespec
        #endif
        inode = UInt64(status.st_ino)
        let time = UInt64(bitPattern: Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec))
        // An odd factor, so that no two sizes of files at one time give the same.
        content = time ^ (UInt64(bitPattern: Int64(status.st_size)) &* 0x9E37_79B9_7F4A_7C15)
    }
}

/// By what a file of ours is known again.
struct KnownFile: Hashable {
    /// As the folder was listed; nil for a file that came there since.
    var identity: FileIdentity?
    /// Of its content, where it is recorded.
    var digest: Digest?

    /// Whether an entry of a folder is the file. What can't be read is not.
    func matches(_ name: String, in folder: Folder) -> Bool {
        guard let found = folder.status(of: name)?.identity else { return false }
        if let identity { return identity == found }
        // A file whose content can't be read can't be proved to be ours, and is left alone.
        guard let digest, let file = try? OpenFile(reading: name, in: folder) else { return false }
        return (try? file.digest()) == digest
    }
}
