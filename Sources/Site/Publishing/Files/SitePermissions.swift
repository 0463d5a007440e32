internal import Foundation

/// The permissions that all files and folders of a site are to have.
package struct SitePermissions: Hashable, Sendable, CustomStringConvertible {
    /// The permission bits of files.
    package let files: UInt32
    /// The permissions of folders: whoever may read one may also look for names in it.
    package var folders: UInt32 { files | (files & 0o444) >> 2 }

    /// Bits that a folder keeps, whatever its permissions are: setuid, setgid and sticky.
    static let specialBits: UInt32 = 0o7000

    /// - Parameter text: octal digits, as chmod(1) takes them: "644" or "0644".
    /// - Returns: nil for what is none, for bits other than those of reading and writing, and where the owner, who is
    ///   to bring the site up to date, could not read and write.
    package init?(octal text: String) {
        guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...55).contains($0) }),
            let bits = UInt32(text, radix: 8), bits & ~0o666 == 0, bits & 0o600 == 0o600
        else { return nil }
        files = bits
    }

    /// As it is written for people: "644".
    package var description: String { String(files, radix: 8) }

    /// The mode of the output folder itself. A folder that also holds other files has other uses than the site, and
    /// keeps its mode.
    /// - Parameter isShared: whether things that are no part of a site are in it.
    /// - Returns: nil if it stays as it is. One of another owner, or one to which a symbolic link leads, was made by
    ///   somebody else, and is left alone.
    func modeToSet(ofOutputFolder folder: Folder, isShared: Bool) throws(SiteError) -> UInt32? {
        let status = try folder.status()
        var named = stat()
        guard status.st_uid == geteuid(), lstat(folder.path, &named) == 0, named.st_ino == status.st_ino,
            named.st_dev == status.st_dev
        else { return nil }
        let found = UInt32(status.st_mode) & 0o777
        let wanted = isShared ? found | folders : folders
        return wanted == found ? nil : wanted | UInt32(status.st_mode) & Self.specialBits
    }
}
