package import ObjectStore

/// The settings of a build that several machines share, over a store that all of them reach.
package struct SharingOptions: Sendable {
    /// Opens the store. Its parameter says whether the build was cancelled, and is polled.
    package var open: @Sendable (@escaping @Sendable () -> Bool) throws(ObjectStoreError) -> any SharedStore
    /// The store's address, for messages.
    package var shown: String
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

    func results(isCancelled: @escaping @Sendable () -> Bool) throws(GalleryError) -> ResultStore {
        do throws(ObjectStoreError) {
            return ResultStore(store: try open(isCancelled))
        } catch .interrupted {
            throw .interrupted
        } catch {
            throw .store(shown: shown, error)
        }
    }
}
