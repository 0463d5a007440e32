internal import Foundation
internal import PhotoModel

/// The beginnings of originals whose transfers broke off: `<root>/partial/<SHA-256 of the address>.part`, each with a
/// `.json` file for its metadata. A part that is too old or can't be continued is deleted. Used on the transfer thread
/// only.
final class PartialFolder {
    private let path: String
    private let temporaryFolder: String
    /// The keys of the existing parts, so that transfers without one need no access to the disk.
    private var keys: Set<String> = []

    /// The age in seconds at which a part is deleted.
    private static let maxAge: Int64 = 7 * 86_400

    /// - Parameter now: the current time in seconds since 1970.
    init(in store: OriginalStore, now: Int64) {
        path = store.root + "/partial"
        temporaryFolder = store.temporaryFolder
        // A folder that is missing or can't be read contains no parts: all originals are then downloaded from the
        // start.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            var status = stat()
            let file = "\(path)/\(name)"
            let isYoung = stat(file, &status) == 0 && now - Int64(status.modificationSeconds) < Self.maxAge
            if isYoung, name.hasSuffix(".json") {
                keys.insert(String(name.dropLast(5)))
            } else if !isYoung {
                unlink(file)
            }
        }
    }

    /// The kept part of an original; nil if there is none.
    func partial(of address: RemoteAddress) -> PartialOriginal? {
        guard !keys.isEmpty else { return nil }
        let key = Self.key(address)
        guard keys.contains(key) else { return nil }
        do {
            let data = try Data(contentsOf: URL(filePath: metadataPath(key)))
            return try JSONDecoder().decode(PartialOriginal.self, from: data)
        } catch {
            discard(address)
            return nil
        }
    }

    /// Continues the kept part where the last transfer ended.
    ///
    /// - Returns: nil if the part is missing or damaged. Then it is deleted.
    func resume(_ partial: PartialOriginal, of address: RemoteAddress) throws(DownloadsError) -> OriginalWriter? {
        defer { discard(address) }
        let file = try TemporaryFile(adopting: contentPath(Self.key(address)), into: temporaryFolder)
        guard let file else { return nil }
        return try OriginalWriter(continuing: file, after: StoredOriginal(digest: partial.digest, bytes: partial.bytes))
    }

    /// Saves the beginning of an original for the next attempt. If that fails, only time is lost.
    func save(_ written: StagedOriginal, as partial: PartialOriginal, of address: RemoteAddress) {
        let key = Self.key(address)
        discard(address)
        mkdir(path, 0o755)
        GroupAccess(ofFolderAt: (path as NSString).deletingLastPathComponent)?.apply(to: path)
        guard rename(written.file.path, contentPath(key)) == 0 else { return }
        keys.insert(key)
        do {
            try JSONEncoder().encode(partial).write(to: URL(filePath: metadataPath(key)))
            GroupAccess(ofFolderAt: path)?.apply(to: metadataPath(key))
        } catch {
            discard(address)
        }
    }

    func discard(_ address: RemoteAddress) {
        guard !keys.isEmpty, keys.remove(Self.key(address)) != nil else { return }
        // The metadata is deleted first, because the content is of no use without it.
        unlink(metadataPath(Self.key(address)))
        unlink(contentPath(Self.key(address)))
    }

    private func metadataPath(_ key: String) -> String { "\(path)/\(key).json" }
    private func contentPath(_ key: String) -> String { "\(path)/\(key).part" }

    /// The key of an address: a digest, because the address can contain a password.
    private static func key(_ address: RemoteAddress) -> String { Digest(of: address.url).hex }
}

extension stat {
    fileprivate var modificationSeconds: Int {
        #if canImport(Darwin)
            st_mtimespec.tv_sec
        #else
            st_mtim.tv_sec
        #endif
    }
}
