internal import Foundation

/// The kind of file system that contains a path, according to the kernel's list of mounts (proc(5), mountinfo).
package enum FileSystemKind {
    /// Whether other machines or processes can change the file system without this kernel's knowledge. The result is
    /// false if the kind is unknown.
    package static func isShared(_ path: String) -> Bool {
        guard let kind = kind(of: path) else { return false }
        return ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "ceph"].contains(kind) || kind.hasPrefix("fuse")
    }

    private static func kind(of path: String) -> String? {
        // Only Linux has this list.
        guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else { return nil }
        return kind(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path, mounts: mounts)
    }

    /// The type of the innermost mount that contains the path. If several are mounted at the same path, the last one
    /// hides the others.
    package static func kind(of path: String, mounts: String) -> String? {
        var best: (length: Int, kind: String)?
        for line in mounts.split(separator: "\n") {
            let sides = line.components(separatedBy: " - ")
            let fields = sides[0].split(separator: " ")
            guard sides.count == 2, fields.count > 4, let kind = sides[1].split(separator: " ").first else { continue }
            // mountinfo escapes white space in a path as an octal number.
            let mountPoint = fields[4].replacing("\\040", with: " ")
            let isAbove = mountPoint == "/" || path == mountPoint || path.hasPrefix(mountPoint + "/")
            if isAbove, mountPoint.utf8.count >= best?.length ?? 0 { best = (mountPoint.utf8.count, String(kind)) }
        }
        return best?.kind
    }
}
