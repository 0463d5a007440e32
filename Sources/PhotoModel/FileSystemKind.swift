internal import Foundation

/// The kind of file system that a path is on, as the kernel's list of mounts names it (proc(5), mountinfo).
package enum FileSystemKind {
    /// Whether other machines may change what is there without this kernel's knowing of it. False where nothing is
    /// known.
    package static func isShared(_ path: String) -> Bool {
        guard let kind = kind(of: path) else { return false }
        return ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "ceph"].contains(kind) || kind.hasPrefix("fuse")
    }

    private static func kind(of path: String) -> String? {
        // Elsewhere there is no such list.
        guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else { return nil }
        return kind(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path, mounts: mounts)
    }

    /// The innermost mount that leads to the path; of several at the same place the last one hides the others.
    package static func kind(of path: String, mounts: String) -> String? {
        var best: (length: Int, kind: String)?
        for line in mounts.split(separator: "\n") {
            let sides = line.components(separatedBy: " - ")
            let fields = sides[0].split(separator: " ")
            guard sides.count == 2, fields.count > 4, let kind = sides[1].split(separator: " ").first else { continue }
            // White space in a path is written as an octal number.
            let place = fields[4].replacing("\\040", with: " ")
            let isAbove = place == "/" || path == place || path.hasPrefix(place + "/")
            if isAbove, place.utf8.count >= best?.length ?? 0 { best = (place.utf8.count, String(kind)) }
        }
        return best?.kind
    }
}
