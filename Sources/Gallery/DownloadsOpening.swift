package import Downloads

extension OriginalStore {
    static func opening(_ root: String) throws(GalleryError) -> OriginalStore {
        do {
            return try OriginalStore(root: root)
        } catch {
            throw GalleryError(error)
        }
    }
}

extension Downloader {
    static func starting(
        _ store: OriginalStore, limits: TransferLimits, userAgent: String
    ) throws(GalleryError) -> Downloader {
        do {
            return try Downloader(store: store, limits: limits, userAgent: userAgent)
        } catch {
            throw GalleryError(error)
        }
    }
}

extension GalleryError {
    init(_ error: DownloadsError) {
        self = .storage(path: error.path, detail: error.detail)
    }
}
