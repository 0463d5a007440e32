internal import CFileCalls
internal import Foundation

/// Renames that don't overwrite files that appeared at the new name. They return 0 or `errno`.
extension Folder {
    /// Moves an entry to another folder under a new name. Returns EEXIST if the new name is taken. If the file system
    /// has no rename that checks this atomically, a hard link is created instead. Without hard links the name is
    /// checked before the rename, and a file that appears in between is overwritten.
    package func move(_ name: String, to other: Folder, asNew newName: String) -> Int32 {
        if file_rename_new(descriptor, name, other.descriptor, newName) == 0 { return 0 }
        guard Self.isUnsupported(errno) else { return errno }
        if linkat(descriptor, name, other.descriptor, newName, 0) == 0 {
            // If the first name can't be removed now, it is removed together with the folder.
            unlinkat(descriptor, name, 0)
            return 0
        }
        guard Self.lacksHardLinks(errno) else { return errno }
        var status = stat()
        if fstatat(other.descriptor, newName, &status, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
        return errno == ENOENT ? replace(newName, of: other, with: name) : errno
    }

    /// Exchanges an entry with an entry of another folder atomically. Returns ENOENT if one of them doesn't exist.
    func exchange(_ name: String, with other: Folder, _ otherName: String) -> Int32 {
        file_exchange(descriptor, name, other.descriptor, otherName) == 0 ? 0 : errno
    }

    /// Renames an entry over an entry of another folder, which need not exist.
    package func replace(_ otherName: String, of other: Folder, with name: String) -> Int32 {
        renameat(descriptor, name, other.descriptor, otherName) == 0 ? 0 : errno
    }

    /// Whether a rename failed because the kernel or the file system doesn't support its flags.
    static func isUnsupported(_ errno: Int32) -> Bool { [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) }

    /// Whether a hard link failed because the file system doesn't support hard links, or the file has too many already.
    static func lacksHardLinks(_ errno: Int32) -> Bool { [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) }
}
