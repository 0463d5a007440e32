internal import Foundation

/// The permissions that all files and folders of a site should have.
package struct SitePermissions: Hashable, Sendable, CustomStringConvertible {
    /// The permission bits of files.
    package let files: UInt32
    /// The permission bits of folders: everybody who can read a folder can also search it.
    package var folders: UInt32 { files | (files & 0o444) >> 2 }

    /// The bits that a folder keeps whatever its permissions are: setuid, setgid and sticky.
    static let specialBits: UInt32 = 0o7000

    /// - Parameter text: the permission bits as octal digits, as chmod(1) takes them: "644" or "0644".
    /// - Returns: nil if the text is not octal, has bits other than read and write bits, or would not let the owner,
    ///   who updates the site, read and write.
    package init?(octal text: String) {
        guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...55).contains($0) }),
            let bits = UInt32(text, radix: 8), bits & ~0o666 == 0, bits & 0o600 == 0o600
        else { return nil }
        files = bits
    }

    /// The permission bits of files as octal digits, as people write them: "644".
    package var description: String { String(files, radix: 8) }

    /// The mode that the output folder itself should get. A folder that also holds other files has other purposes too,
    /// so it can gain permission bits but loses none.
    /// - Parameter hasOtherEntries: whether the output folder has entries that are not part of a site.
    /// - Returns: nil if the mode stays as it is. A folder with another owner, or one that is reached through a
    ///   symbolic link, was created by somebody else and is left alone.
    func modeToSet(ofOutputFolder folder: Folder, hasOtherEntries: Bool) throws(SiteError) -> UInt32? {
        let status = try folder.status()
        var named = stat()
        guard status.st_uid == geteuid(), lstat(folder.path, &named) == 0, named.st_ino == status.st_ino,
            named.st_dev == status.st_dev
        else { return nil }
        let found = UInt32(status.st_mode) & 0o777
        let wanted = hasOtherEntries ? found | folders : folders
        return wanted == found ? nil : wanted | UInt32(status.st_mode) & Self.specialBits
    }
}
