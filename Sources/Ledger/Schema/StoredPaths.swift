internal import Foundation
internal import PhotoModel

/// Converts paths for the ledger. Files in the parent of the state folder, or below it, have paths relative to the
/// state folder, so that everything can be moved or copied together. All other paths are absolute.
struct StoredPaths: Sendable {
    /// The parent of the state folder, without symbolic links; nil if it is the root, because every file is below that.
    private let base: String?

    /// - Parameter ledger: the path of the ledger's file in the state folder.
    init(ofLedgerAt ledger: String) {
        let parent = Self.parent(of: Self.resolved(Self.parent(of: ledger)))
        base = parent == "/" || parent.isEmpty ? nil : parent
    }

    /// The name of a path in the ledger, such as "../public" for a folder next to the state folder.
    /// - Parameter path: an absolute path. If its last component is a symbolic link, it is not resolved, because its
    ///   target can change.
    func storedPath(of path: String) -> String {
        guard let base, path.hasPrefix("/") else { return path }
        let resolved = Self.withoutLinks(path)
        if resolved == base { return ".." }
        return resolved.hasPrefix(base + "/") ? "../" + resolved.dropFirst(base.count + 1) : path
    }

    /// Whether two absolute paths lead to the same place, whatever symbolic links they contain. The last component of
    /// either is not resolved.
    func isSamePath(_ one: String, _ other: String) -> Bool {
        ExactText(one) == ExactText(other)
            || ExactText(Self.withoutLinks(one)) == ExactText(Self.withoutLinks(other))
    }

    /// The absolute path of a relative name, by the current place of the state folder; any other name is returned
    /// unchanged.
    func path(of name: String) -> String {
        guard let base, name == ".." || name.hasPrefix("../") else { return name }
        return name == ".." ? base : base + "/" + name.dropFirst(3)
    }

    /// Whether there is certainly no file at a path. It is false if the path is not accessible, or if the disk fails.
    static func isGone(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    private static func withoutLinks(_ path: String) -> String {
        let parent = resolved(parent(of: path))
        return (parent == "/" ? "" : parent) + "/" + (path as NSString).lastPathComponent
    }

    private static func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    /// The path with the symbolic links in its existing part resolved.
    private static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            // realpath(3) returns a string that ends with NUL.
            return String(cString: real)
        }
        let parent = parent(of: path)
        guard parent != path, !parent.isEmpty else { return path }
        let resolved = resolved(parent)
        return (resolved == "/" ? "" : resolved) + "/" + (path as NSString).lastPathComponent
    }
}
