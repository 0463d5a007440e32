/// The local files and folders that a build reads. If one of them changes, another build is needed. All paths are
/// absolute.
package struct WatchedPaths: Hashable, Sendable {
    /// The files, whether or not they exist.
    package var files: Set<String>
    /// The folders in which every entry matters, at any depth.
    package var folders: Set<String>

    package init(files: Set<String> = [], folders: Set<String> = []) {
        self.files = files
        self.folders = folders
    }

    package func union(_ other: WatchedPaths) -> WatchedPaths {
        WatchedPaths(files: files.union(other.files), folders: folders.union(other.folders))
    }
}
