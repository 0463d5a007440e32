internal import Foundation
internal import PhotoModel

/// The beginnings of originals whose transfers broke off: `<root>/partial/<SHA-256 of the address>.part`, and beside
/// each a `.json` with what is known of it. What is old, alone or unreadable is thrown away. Used on the transfer
/// thread only.
final class PartialFolder {
    private let path: String
    private let temporaryFolder: String
    /// The keys of the parts that are there, so that all other transfers need not look on the disk.
    private var keys: Set<String> = []

    /// The age, in seconds, at which a part is removed.
    private static let longestKept: Int64 = 7 * 86_400

    /// - Parameter now: seconds since 1970.
    init(in store: OriginalStore, now: Int64) {
        path = store.root + "/partial"
        temporaryFolder = store.temporaryFolder
        // A folder that is missing or can't be read holds no parts: all originals are then downloaded from the start.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            var status = stat()
            let file = "\(path)/\(name)"
            let isYoung = stat(file, &status) == 0 && now - Int64(status.modificationSeconds) < Self.longestKept
            if isYoung, name.hasSuffix(".json") {
                keys.insert(String(name.dropLast(5)))
            } else if !isYoung {
                unlink(file)
            }
        }
    }

    /// The kept part of an original, if there is one.
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

    /// Continues to write where the last transfer ended.
    ///
    /// - Returns: nil if what was kept is not what it was; then it is gone.
    func resume(_ partial: PartialOriginal, of address: RemoteAddress) throws(DownloadsError) -> OriginalWriter? {
        defer { discard(address) }
        let file = try TemporaryFile(adopting: contentPath(Self.key(address)), into: temporaryFolder)
        guard let file else { return nil }
        return try OriginalWriter(continuing: file, after: StoredOriginal(digest: partial.digest, bytes: partial.bytes))
    }

    /// Keeps the beginning of an original for the next try. If that fails nothing is lost but time.
    func keep(_ written: StagedOriginal, as partial: PartialOriginal, of address: RemoteAddress) {
        let key = Self.key(address)
        discard(address)
        mkdir(path, 0o755)
        GroupAccess(ofFolderAt: (path as NSString).deletingLastPathComponent)?.extend(path)
        guard rename(written.file.path, contentPath(key)) == 0 else { return }
        keys.insert(key)
        do {
            try JSONEncoder().encode(partial).write(to: URL(filePath: metadataPath(key)))
            GroupAccess(ofFolderAt: path)?.extend(metadataPath(key))
        } catch {
            discard(address)
        }
    }

    func discard(_ address: RemoteAddress) {
        guard !keys.isEmpty, keys.remove(Self.key(address)) != nil else { return }
        // The metadata is removed first, because the content is of no use without it.
        unlink(metadataPath(Self.key(address)))
        unlink(contentPath(Self.key(address)))
    }

    private func metadataPath(_ key: String) -> String { "\(path)/\(key).json" }
    private func contentPath(_ key: String) -> String { "\(path)/\(key).part" }

    /// The key is a digest, because an address may hold a password.
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
