internal import PhotoModel
internal import Synchronization

/// The recorded files of an output folder as a scan has found them. The publication of the same build continues from
/// them if it follows soon, so that each file is inspected once.
package final class ScannedFiles: Sendable {
    /// A recorded file. The files are a list, because a build without work needs no table of them.
    struct File {
        let path: String
        var entry: SiteEntry
    }

    private let files: Mutex<[File]?>
    /// The inspected folder; nil if it did not exist. It stays open, so that no other folder gets its inode.
    private let folder: Folder?
    private let end: ContinuousClock.Instant
    private let lifetime: Duration

    /// - Parameters:
    ///   - end: when the scan ended.
    ///   - lifetime: how long the files can be used after that.
    init(_ files: [File], in folder: Folder?, end: ContinuousClock.Instant, lifetime: Duration) {
        self.files = Mutex(files)
        self.folder = folder
        self.end = end
        self.lifetime = lifetime
    }

    /// The paths in a folder that have the recorded file with its recorded size; none after `discard`, or after a
    /// publisher has taken the files over.
    /// - Parameter prefix: the name of the folder with "/".
    package func intactPaths(_ prefix: String) -> Set<String> {
        files.withLock { files in
            Set((files ?? []).lazy.filter { $0.path.hasPrefix(prefix) && $0.entry.isIntact }.map { $0.path })
        }
    }

    /// The recorded sizes of files in bytes, by path; none after that either.
    package func bytes(of paths: Set<String>) -> [String: Int64] {
        files.withLock { files in
            (files ?? []).reduce(into: [:]) { if paths.contains($1.path) { $0[$1.path] = $1.entry.file.bytes } }
        }
    }

    /// Releases the files, for a build that needs the memory before it publishes.
    package func discard() { files.withLock { $0 = nil } }

    /// Hands the files over.
    /// - Parameter output: the output folder as it is now.
    /// - Returns: the files; nil if they were handed over or discarded before, are too old, or were found in another
    ///   folder.
    func take(for output: Folder, now: ContinuousClock.Instant = .now) throws(SiteError) -> [File]? {
        let files = files.withLock { files in
            defer { files = nil }
            return files
        }
        guard let files, now - end <= lifetime, let folder, try folder.isSame(as: output) else { return nil }
        return files
    }
}
