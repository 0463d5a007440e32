internal import Foundation
internal import PhotoModel

/// The folder that keeps a gallery's ledger, originals, derivatives and lock.
package struct StateFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package var ledger: String { path + "/ledger.sqlite" }
    /// The ledger and the files that SQLite can have beside it.
    var ledgerFiles: [String] { ["", "-wal", "-shm", "-journal"].map { ledger + $0 } }
    package var originals: String { path + "/originals" }
    package var derivatives: String { path + "/derivatives" }
    package var lock: String { path + "/lock" }
    /// The state folder of a preview, inside that of the builds. Its lock is its own, so that a build and a preview
    /// never wait for one another.
    package var preview: StateFolder { StateFolder(path: path + "/preview") }

    /// The state folder of a shard, so that several shards can be built side by side.
    func shard(_ shard: Shard) -> StateFolder { StateFolder(path: "\(shards)/\(shard.name)") }

    private var shards: String { path + "/shards" }

    /// The state folders of the preview and of shards, whether they exist or not.
    var inside: [StateFolder] {
        // If the folder does not exist or can't be listed, no state of a shard is known.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: shards)) ?? []
        return [preview] + names.sorted().map { StateFolder(path: "\(shards)/\($0)") }
    }

    /// Creates the folder and its subfolder for derivatives.
    /// - Returns: whether the folder is new.
    @discardableResult package func create() throws(GalleryError) -> Bool {
        let isNew = !FileManager.default.fileExists(atPath: path)
        for folder in [path, derivatives] {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw .storage(path: folder, StorageFailure(error, action: "the folder can't be created"))
            }
        }
        GroupAccess(ofFolderAt: path)?.apply(to: derivatives)
        return isNew
    }
}
