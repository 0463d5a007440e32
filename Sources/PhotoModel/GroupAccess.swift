internal import Foundation

/// The access of a shared folder's group to the files that are made in it: the same as with the folder. Where a
/// group may write to a folder, each of its members is to be able to go on with what another one made, whatever their
/// umasks are.
package struct GroupAccess: Sendable {
    /// The folder's permission bits for its group.
    private let bits: mode_t
    private let group: gid_t
    /// Whether the folder hands its group on (setgid).
    private let setgid: mode_t

    /// - Returns: nil for a folder that its group may not write to, or that is not there: then the umask alone decides.
    package init?(ofFolderAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_mode & S_IWGRP != 0 else {
            return nil
        }
        bits = status.st_mode & S_IRWXG
        group = status.st_gid
        setgid = status.st_mode & S_ISGID
    }

    /// Gives the group access to an open file or folder in the folder. One of another owner stays as it is: its owner
    /// gives the access, or has given it.
    package func extend(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let mode = mode(for: status) else { return }
        guard status.st_gid == group || fchown(descriptor, uid_t.max, group) == 0 else { return }
        fchmod(descriptor, mode)
    }

    /// The same by a path in the folder, for files that must not be opened here: SQLite loses its locks of a file when
    /// any descriptor of it is closed. Symbolic links are not followed.
    package func extend(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, let mode = mode(for: status) else { return }
        guard status.st_gid == group || lchown(path, uid_t.max, group) == 0 else { return }
        fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW)
    }

    /// - Returns: nil if it has the access, is not ours, or is neither a file nor a folder.
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
