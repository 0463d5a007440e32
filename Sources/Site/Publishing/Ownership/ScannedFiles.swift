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
    /// The inspected folder; nil if it did not exist.
    private let folder: Folder.Identity?
    private let end: ContinuousClock.Instant
    private let lifetime: Duration

    /// - Parameters:
    ///   - end: when the scan ended.
    ///   - lifetime: how long the files can be used after that.
    init(_ files: [File], in folder: Folder.Identity?, end: ContinuousClock.Instant, lifetime: Duration) {
        self.files = Mutex(files)
        self.folder = folder
        self.end = end
        self.lifetime = lifetime
    }

    /// The paths in a folder that have the recorded file with its recorded size. They must not be read after `discard`,
    /// or after a publisher has taken the files over.
    /// - Parameter prefix: the name of the folder with "/".
    package func intactPaths(_ prefix: String) -> Set<String> {
        files.withLock { files in
            Set((files ?? []).lazy.filter { $0.path.hasPrefix(prefix) && $0.entry.isIntact }.map { $0.path })
        }
    }

    /// The recorded sizes of files in bytes, by path. They must not be read after `discard` either.
    package func bytes(of paths: Set<String>) -> [String: Int64] {
        files.withLock { files in
            (files ?? []).reduce(into: [:]) { if paths.contains($1.path) { $0[$1.path] = $1.entry.file.bytes } }
        }
    }

    /// Releases the files, for a build that needs the memory before it publishes.
    package func discard() { files.withLock { $0 = nil } }

    /// Hands the files over.
    /// - Parameter folder: the output folder as it is now.
    /// - Returns: the files by path; nil if they were handed over or discarded before, are too old, or were found in
    ///   another folder.
    func take(for folder: Folder.Identity?, now: ContinuousClock.Instant = .now) -> [String: SiteEntry]? {
        let files = files.withLock { files in
            defer { files = nil }
            return now - end <= lifetime && folder == self.folder ? files : nil
        }
        guard let files else { return nil }
        let table = Dictionary(files.lazy.map { ($0.path, $0.entry) }) { first, _ in first }
        // If a path is recorded twice, the record is damaged. Whoever reads it again reports that.
        return table.count == files.count ? table : nil
    }
}
