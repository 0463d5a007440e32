/// The files and folders of this machine that a build reads. A change of them makes another build due. All paths are
/// absolute.
package struct WatchedPaths: Hashable, Sendable {
    /// Files, whether they are there or not.
    package var files: Set<String>
    /// Folders of which everything counts, with all that are in them.
    package var folders: Set<String>

    package init(files: Set<String> = [], folders: Set<String> = []) {
        self.files = files
        self.folders = folders
    }

    package func union(_ other: WatchedPaths) -> WatchedPaths {
        WatchedPaths(files: files.union(other.files), folders: folders.union(other.folders))
    }
}
