internal import Foundation
internal import PhotoModel

/// The records of photos in a store. A store of a shared build is known by them, because there is one for each photo
/// that has pictures there, and a site has no such files.
package enum StoreRecords {
    /// The beginning of the keys of all records.
    package static let prefix = "photos/"

    /// Whether a key without the prefix is that of a record: a SHA-256, and perhaps the number of the record.
    package static func isRecord(_ name: some StringProtocol) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let key = parts.first, parts.count <= 2, Digest(hex: String(key)) != nil else { return false }
        return parts.count == 1 || Int(parts[1]) != nil
    }

    /// Whether a folder is the store of a shared build.
    package static func exist(inFolder path: String) -> Bool {
        guard let directory = opendir("\(path)/\(prefix)") else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            if isRecord(StoreFolder.name(of: entry)) { return true }
        }
        return false
    }
}
