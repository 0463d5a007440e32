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
