internal import Manifest
internal import PhotoModel

/// The ledger keys of a list's photos and of their addresses. They are digests, computed while the ledger is read.
struct LedgerKeys: Sendable {
    /// The keys of the photos, parallel to the list's photos.
    let photos: [Digest]
    /// The keys of the photos' addresses, parallel to the list's photos; nil for a photo without a usable address.
    let sources: [Digest?]

    init(_ manifest: Manifest) {
        photos = manifest.identities().map(\.ledgerKey)
        sources = manifest.photos.map(\.sourceKey)
    }
}

extension ManifestPhoto {
    /// The ledger key of the photo's address; nil if the photo has no usable address.
    var sourceKey: Digest? { if case .success(let source) = source { source.rowKey } else { nil } }
}
