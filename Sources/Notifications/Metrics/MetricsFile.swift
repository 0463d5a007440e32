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
            case .system(let code): String(cString: strerror(code))
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
        try replace(target, with: Array(metrics.text.utf8))
    }

    private func replace(_ target: String, with bytes: [UInt8]) throws(Problem) {
        let url = URL(fileURLWithPath: target)
        // The collector reads files whose names end in ".prom".
        let new = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).new-\(getpid())"
        // A killed process with the same id might have left a file.
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .system(errno: errno) }
        var failure = Self.write(bytes, to: descriptor)
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(new, target) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(new)
            throw .system(errno: failure)
        }
    }

    /// - Returns: the error number; 0 if all bytes are written.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return errno }
            rest = rest.dropFirst(max(0, count))
        }
        return 0
    }
}
