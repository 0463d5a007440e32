internal import Imaging
internal import Ledger
internal import Manifest
internal import PhotoModel

/// The results that a site can show, and that a worker prefers: those of the photos as the list and the settings
/// describe them now. A store can also have results of other lists and settings.
struct WantedResults {
    private let list: PhotoList
    private let keys: LedgerKeys
    private let options: DerivativeOptions
    /// The recipe of the photos without a filter of their own.
    private let recipe: String
    /// The indices of the list's photos, by the photo's ledger key.
    private let indices: [Digest: Int]

    init(_ list: PhotoList, _ keys: LedgerKeys, _ options: DerivativeOptions) {
        (self.list, self.keys, self.options) = (list, keys, options)
        recipe = PhotoRecipe(options).text
        indices = Dictionary(zip(keys.photos, keys.photos.indices), uniquingKeysWith: { first, _ in first })
    }

    func contains(_ stored: StoredPhoto) -> Bool {
        let photo = stored.photo
        guard let index = indices[photo.key],
            stored.isResult(of: keys.sources[index]) || isOfMirror(stored, list.photos[index])
        else { return false }
        if let pinned = list.photos[index].pinned, let original = photo.sha256, pinned != original { return false }
        return photo.pictures.isEmpty || photo.recipe == list.ownRecipe(ofPhotoAt: index, options: options) ?? recipe
    }

    /// Whether a record of an earlier version, which does not name the first address, has the picture of a mirror.
    private func isOfMirror(_ stored: StoredPhoto, _ photo: ManifestPhoto) -> Bool {
        stored.listed == nil && photo.mirrors.contains { $0.rowKey == stored.photo.source }
    }
}
