internal import Foundation
internal import PhotoModel

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
        do throws(POSIXError) {
            try FileReplacement.replace(path, through: path + ".tmp", with: list.bytes)
        } catch {
            throw .cache(path: path, errno: error.code.rawValue)
        }
    }
}
