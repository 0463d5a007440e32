internal import Foundation
internal import PhotoModel
internal import Site

/// The copy of a target's list that this machine keeps in the state folder. If the copy equals the list of the site,
/// the target is up to date and is not queried, unless it is a folder of this machine without a list.
///
/// The file has the path of the output folder and a NUL before the list. Several galleries can share a state folder,
/// and the copy that one of them wrote doesn't count for another.
package struct PublishedListCache {
    private let path: String
    private let output: String

    /// - Parameters:
    ///   - path: the absolute path of the copy. Its folder must exist before `write`.
    ///   - output: the absolute path of the output folder whose site is published.
    package init(path: String, output: String) {
        self.path = path
        self.output = output
    }

    /// - Returns: nil if there is no copy, if its text is not a valid list, or if it is that of another gallery.
    func read() throws(PublishError) -> PublishedList? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else { throw .cache(path: path, errno: EACCES) }
        let bytes = [UInt8](data)
        // Earlier versions wrote the list alone.
        guard let end = bytes.firstIndex(of: 0) else { return PublishedList(bytes) }
        if isOtherSite(String(decoding: bytes[..<end], as: UTF8.self)) { return nil }
        return PublishedList(Array(bytes[(end + 1)...]))
    }

    /// Whether a folder has another site than the output folder. If it has none, the output folder was moved.
    private func isOtherSite(_ folder: String) -> Bool {
        var other = stat()
        var own = stat()
        guard stat("\(folder)/\(SitePath.index)", &other) == 0, stat("\(output)/\(SitePath.index)", &own) == 0
        else { return false }
        return other.st_dev != own.st_dev || other.st_ino != own.st_ino
    }

    func write(_ list: PublishedList) throws(PublishError) {
        do throws(POSIXError) {
            let bytes = Array("\(output)\0\n".utf8) + list.bytes
            try FileReplacement.replace(path, through: path + ".tmp", with: bytes)
        } catch {
            throw .cache(path: path, errno: error.code.rawValue)
        }
    }
}
