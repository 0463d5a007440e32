internal import Foundation
package import ObjectStore
internal import Publish
internal import Site

/// The settings of a build that several machines share, over a store that all of them reach.
package struct SharingOptions: Sendable {
    /// Opens the store. Its parameter says whether the build was cancelled, and is polled.
    package var open: @Sendable (@escaping @Sendable () -> Bool) throws(ObjectStoreError) -> any SharedStore
    /// The store's address, for messages.
    package var shown: String
    /// The absolute path of the store; nil if it is not a folder of this machine.
    package var folder: String?
    /// The share that this build works on; nil for a build that makes the site of all shares.
    package var shard: Shard?
    package var key = ShardingKey.address
    package var storesOriginals = false
    /// The address at which visitors find the pictures of the store, ending in "/"; nil if the site has them.
    package var picturesAt: String?

    package init(
        shown: String,
        open: @escaping @Sendable (@escaping @Sendable () -> Bool) throws(ObjectStoreError) -> any SharedStore
    ) {
        self.shown = shown
        self.open = open
    }

    /// Opens the store.
    /// - Throws: `GalleryError.unsuitableStore` if it has a site.
    func results(isCancelled: @escaping @Sendable () -> Bool) throws(GalleryError) -> ResultStore {
        let (store, hasSite): (any SharedStore, Bool)
        do throws(ObjectStoreError) {
            store = try open(isCancelled)
            hasSite = try self.hasSite(store)
        } catch .interrupted {
            throw .interrupted
        } catch {
            throw .store(shown: shown, error)
        }
        guard !hasSite else {
            throw .unsuitableStore(
                shown: shown, why: "has a site, whose pictures can be removed; use --store to name another place")
        }
        return ResultStore(store: store)
    }

    /// - Throws: `GalleryError.unsuitableStore` if the store would be mixed with the files of one of these folders.
    func check(output: String, state: StateFolder) throws(GalleryError) {
        guard let folder else { return }
        let folders = OutputFolderCheck(output: output, state: state.path, homes: [])
        if let why = folders.unsuitable(asStore: folder) { throw .unsuitableStore(shown: shown, why: why) }
    }

    /// Whether gallerygen has built or published a site in the store.
    private func hasSite(_ store: any SharedStore) throws(ObjectStoreError) -> Bool {
        // A publication that broke off has perhaps not sent status.json. No key of a store begins with a dot.
        if let folder, FileManager.default.fileExists(atPath: "\(folder)/\(PublishedList.fileName)") { return true }
        guard let status = try store.read(SitePath.status, prefix: 256) else { return false }
        return String(decoding: status, as: UTF8.self).contains(#""generator":"gallerygen "#)
    }
}
