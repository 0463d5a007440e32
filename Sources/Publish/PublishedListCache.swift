internal import Foundation

/// The copy of a target's list that this machine keeps in the state folder. If the copy equals the list of the site,
/// the target is up to date and is not queried.
package struct PublishedListCache {
    private let path: String

    /// - Parameter path: the absolute path of the copy. Its folder must exist before `write`.
    package init(path: String) { self.path = path }

    /// - Returns: nil if there is no copy, or if its text is not a valid list.
    func read() throws(PublishError) -> PublishedList? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else { throw .cache(path: path, errno: EACCES) }
        return PublishedList([UInt8](data))
    }

    func write(_ list: PublishedList) throws(PublishError) {
        let temporary = path + ".tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .cache(path: temporary, errno: errno) }
        defer { close(descriptor) }
        var rest = list.bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw .cache(path: temporary, errno: errno) }
            rest = rest.dropFirst(max(count, 0))
        }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw .cache(path: path, errno: errno) }
    }
}
