internal import Foundation
internal import PhotoModel

/// The identity of a regular file: its inode, size and modification time. It distinguishes the file from a later file
/// with the same name. A new mode or name changes none of these values.
struct FileIdentity: Hashable {
    let inode: UInt64
    /// A hash of size and modification time. It saves memory, because a large site has many identities.
    private let content: UInt64

    /// - Returns: nil if the entry is not a regular file.
    init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if os(Linux)
            let changed = status.st_mtim
        #else
            let changed = status.st_mtimespec
        #endif
        inode = UInt64(status.st_ino)
        let time = UInt64(bitPattern: Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec))
        // The factor is odd, so that two different sizes never give the same hash for the same time.
        content = time ^ (UInt64(bitPattern: Int64(status.st_size)) &* 0x9E37_79B9_7F4A_7C15)
    }
}

/// The properties by which an owned file is recognised.
struct KnownFile: Hashable {
    /// The identity of the file when it was inspected; nil for a file that was added after that.
    var identity: FileIdentity?
    /// The digest of the file's content, if it is recorded.
    var digest: Digest?
    /// The permission bits of the file when it was inspected; nil without an identity.
    var mode: UInt16?

    /// Whether an entry of a folder is this file. An entry that can't be read is not.
    func matches(_ name: String, in folder: Folder) -> Bool {
        guard let found = folder.status(of: name)?.identity else { return false }
        if let identity { return identity == found }
        // If the content of a file can't be read, gallerygen can't prove that it owns the file, and leaves it alone.
        guard let digest, let file = try? OpenFile(reading: name, in: folder) else { return false }
        return (try? file.digest()) == digest
    }
}
