internal import Foundation

/// Converts paths for the ledger. Files in the parent of the state folder, or below it, have paths relative to the
/// state folder, so that everything can be moved or copied together; all other paths are absolute.
struct StoredPaths: Sendable {
    /// The folder in which the state folder lies, without symbolic links; nil where that is the root, below which
    /// everything lies.
    private let base: String?

    /// - Parameter ledger: the path of the ledger's file in the state folder.
    init(ofLedgerAt ledger: String) {
        let parent = Self.parent(of: Self.resolved(Self.parent(of: ledger)))
        base = parent == "/" || parent.isEmpty ? nil : parent
    }

    /// "../public" for a folder beside the state folder.
    /// - Parameter path: absolute. Its last part is not followed if it is a symbolic link: what that leads to may
    ///   change.
    func name(of path: String) -> String {
        guard let base, path.hasPrefix("/") else { return path }
        let resolved = Self.withoutLinks(path)
        if resolved == base { return ".." }
        return resolved.hasPrefix(base + "/") ? "../" + resolved.dropFirst(base.count + 1) : path
    }

    /// Whether two absolute paths lead to the same place, whatever symbolic links they pass. The last part of either is
    /// not followed.
    func isSamePlace(_ one: String, _ other: String) -> Bool {
        one == other || Self.withoutLinks(one) == Self.withoutLinks(other)
    }

    /// The absolute path of a name, if what it names lies where it did from the state folder; anything else as it is.
    func path(of name: String) -> String {
        guard let base, name == ".." || name.hasPrefix("../") else { return name }
        return name == ".." ? base : base + "/" + name.dropFirst(3)
    }

    /// Whether there is nothing at a path. Of one that may not be looked at, or lies on a disk that fails, nothing is
    /// known.
    static func isGone(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

    private static func withoutLinks(_ path: String) -> String {
        let parent = resolved(parent(of: path))
        return (parent == "/" ? "" : parent) + "/" + (path as NSString).lastPathComponent
    }

    private static func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    /// Without symbolic links, as far as it exists.
    private static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            // realpath(3) ends what it returns with a NUL.
            return String(cString: real)
        }
        let parent = parent(of: path)
        guard parent != path, !parent.isEmpty else { return path }
        let resolved = resolved(parent)
        return (resolved == "/" ? "" : resolved) + "/" + (path as NSString).lastPathComponent
    }
}
