internal import CFileCalls
internal import Foundation

/// Renames that never write over what has come to a name meanwhile. They answer with 0, or `errno`.
extension Folder {
    /// Gives an entry a name in another folder: EEXIST if anything has that name. Where the file system can't do both
    /// in one step, a second name does it, or, without hard links, a look before.
    package func move(_ name: String, to other: Folder, asNew newName: String) -> Int32 {
        if file_rename_new(descriptor, name, other.descriptor, newName) == 0 { return 0 }
        guard Self.isUnsupported(errno) else { return errno }
        if linkat(descriptor, name, other.descriptor, newName, 0) == 0 {
            // A first name that stays does no harm: the folder goes with it.
            unlinkat(descriptor, name, 0)
            return 0
        }
        guard Self.lacksHardLinks(errno) else { return errno }
        var status = stat()
        if fstatat(other.descriptor, newName, &status, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
        return errno == ENOENT ? replace(newName, of: other, with: name) : errno
    }

    /// Exchanges an entry with one of another folder: ENOENT if one is not there.
    func exchange(_ name: String, with other: Folder, _ otherName: String) -> Int32 {
        file_exchange(descriptor, name, other.descriptor, otherName) == 0 ? 0 : errno
    }

    /// Puts an entry in the place of what stands in another folder, if anything does.
    package func replace(_ otherName: String, of other: Folder, with name: String) -> Int32 {
        renameat(descriptor, name, other.descriptor, otherName) == 0 ? 0 : errno
    }

    /// Whether a rename failed because system or file system have no such form of it.
    static func isUnsupported(_ errno: Int32) -> Bool { [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) }

    /// Whether a second name failed because the file system has none, or no more for this file.
    static func lacksHardLinks(_ errno: Int32) -> Bool { [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) }
}
