internal import Foundation
internal import PhotoModel

/// The file of `--metrics`, which the textfile collector of Prometheus' node exporter reads. It is replaced as a whole,
/// so that the collector never reads half of it.
package struct MetricsFile: Sendable {
    package enum Problem: Error {
        /// There is something at the path that is not a regular file, such as a folder or a device.
        case notAFile
        /// The file has other content than metrics of this program.
        case foreign
        case system(errno: Int32)

        /// The problem as part of a warning.
        package var message: String {
            switch self {
            case .notAFile: "it is not a regular file"
            case .foreign: "it has other content, which is not overwritten"
            case .system(let code): systemMessage(code)
            }
        }
    }

    /// The absolute path.
    package let path: String
    /// The largest file that is read, in bytes. Ours are much smaller.
    private static let sizeLimit = 1 << 20

    package init(path: String) { self.path = path }

    /// Writes the metrics. What they lack is taken over from the file that is there.
    package func write(_ metrics: BuildMetrics) throws(Problem) {
        var metrics = metrics
        // A symbolic link stays, and the file that it leads to is replaced.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var status = stat()
        if lstat(target, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
            guard status.st_size <= Self.sizeLimit else { throw .foreign }
            guard let bytes = FileManager.default.contents(atPath: target) else { throw .system(errno: EACCES) }
            let text = String(decoding: bytes, as: UTF8.self)
            guard bytes.isEmpty || BuildMetrics.isOurs(text) else { throw .foreign }
            metrics.complete(from: text)
        } else if errno != ENOENT {
            throw .system(errno: errno)
        }
        let url = URL(fileURLWithPath: target)
        // The collector reads files whose names end in ".prom".
        let new = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).new-\(getpid())"
        do {
            try FileReplacement.replace(
                target, through: new, with: Array(metrics.text.utf8), isSynchronized: false)
        } catch {
            throw .system(errno: error.code.rawValue)
        }
    }
}
