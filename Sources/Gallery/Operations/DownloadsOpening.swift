package import Downloads

extension OriginalStore {
    package static func opening(_ root: String) throws(GalleryError) -> OriginalStore {
        do {
            return try OriginalStore(root: root)
        } catch {
            throw GalleryError(error)
        }
    }
}

extension Downloader {
    /// Opens the store of originals, and starts the downloader. Only the holder of the state folder's lock may call
    /// this.
    static func opening(_ options: BuildOptions) throws(GalleryError) -> (OriginalStore, Downloader) {
        let store = try OriginalStore.opening(options.state.originals)
        do {
            try store.removeAbandonedFiles()
        } catch {
            throw GalleryError(error)
        }
        return (store, try starting(store, options: options))
    }

    package static func starting(
        _ store: OriginalStore, options: BuildOptions
    ) throws(GalleryError) -> Downloader {
        do {
            return try Downloader(
                store: store, limits: options.limits, options: options.fetchOptions, client: options.client,
                startedAt: options.startedAt)
        } catch {
            throw GalleryError(error)
        }
    }
}

extension GalleryError {
    init(_ error: DownloadsError) {
        switch error {
        case .write(let path, let code): self = .storage(path: path, .system(errno: code))
        case .curl, .thread: self = .bug(error.description)
        }
    }
}
