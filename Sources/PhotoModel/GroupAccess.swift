internal import Foundation

/// The access of a shared folder's group to the files that are created in the folder: the same access as to the folder
/// itself. If a group can write to a folder, each of its members should be able to continue the work of another,
/// whatever their umasks are.
package struct GroupAccess: Sendable {
    /// The folder's permission bits for its group.
    private let bits: mode_t
    private let group: gid_t
    /// The folder's setgid bit, by which new entries inherit its group.
    private let setgid: mode_t

    /// - Returns: nil if the folder does not exist or its group can't write to it. In both cases the umask alone
    ///   decides.
    package init?(ofFolderAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_IWGRP != 0 else {
            return nil
        }
        bits = status.st_mode & S_IRWXG
        group = status.st_gid
        setgid = status.st_mode & S_ISGID
    }

    /// Gives the group access to an open file or folder inside the folder. An entry of another owner is not changed,
    /// because its owner's process gives the access.
    package func apply(to descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let mode = mode(for: status) else { return }
        guard status.st_gid == group || fchown(descriptor, uid_t.max, group) == 0 else { return }
        fchmod(descriptor, mode)
    }

    /// Does the same for a path inside the folder, for files that must not be opened here: SQLite loses its locks on a
    /// file when any descriptor of the file is closed. Symbolic links are not followed.
    package func apply(to path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, let mode = mode(for: status) else { return }
        guard status.st_gid == group || lchown(path, uid_t.max, group) == 0 else { return }
        fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW)
    }

    /// - Returns: nil if the entry already has the mode, has another owner, or is neither a file nor a folder.
    private func mode(for status: stat) -> mode_t? {
        guard status.st_uid == geteuid() else { return nil }
        let given: mode_t
        switch status.st_mode & S_IFMT {
        case S_IFREG: given = bits & (S_IRGRP | S_IWGRP)
        case S_IFDIR: given = bits | setgid
        default: return nil
        }
        let found = status.st_mode & 0o7777
        return found | given == found && status.st_gid == group ? nil : found | given
    }
}
