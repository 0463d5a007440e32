internal import Site

/// The manifests of a gallery, read into one list.
struct LoadedManifests {
    let list: PhotoList
    /// The bytes of each manifest, parallel to the manifests.
    private let bytes: [ManifestBytes]

    init(list: PhotoList, bytes: [ManifestBytes]) {
        self.list = list
        self.bytes = bytes
    }

    /// The inputs of the pages other than the photos.
    func siteInputs(_ options: BuildOptions) throws(GalleryError) -> SiteInputs {
        try SiteInputs(
            settings: options.siteSettings(list), templates: options.templates, ratings: options.ratings,
            manifests: bytes)
    }
}
