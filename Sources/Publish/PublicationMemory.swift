internal import Foundation

/// What this machine remembers of a target: the list that was written there last. While it is that of the site, nothing
/// is to be done, and the target is not asked.
package struct PublicationMemory {
    private let path: String

    /// - Parameter path: absolute path of the file, whose folder exists.
    package init(path: String) { self.path = path }

    /// - Returns: nil if nothing is remembered, or nothing that can be read.
    func read() throws(PublishError) -> PublishedList? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else { throw .memory(path: path, errno: EACCES) }
        return PublishedList([UInt8](data))
    }

    func write(_ list: PublishedList) throws(PublishError) {
        let temporary = path + ".tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .memory(path: temporary, errno: errno) }
        defer { close(descriptor) }
        var rest = list.bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw .memory(path: temporary, errno: errno) }
            rest = rest.dropFirst(max(count, 0))
        }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw .memory(path: path, errno: errno) }
    }
}
