internal import Manifest
internal import PhotoModel

/// The keys of a list's photos and of their addresses in the ledger: digests, which are computed while the ledger is
/// being read.
struct LedgerKeys: Sendable {
    /// Parallel to the photos, as the next.
    let photos: [Digest]
    /// nil for a photo without a usable address.
    let sources: [Digest?]

    init(_ manifest: Manifest) {
        photos = manifest.identities().map(\.ledgerKey)
        sources = manifest.photos.map(\.sourceKey)
    }
}

extension ManifestPhoto {
    /// The key of its address in the ledger; nil if it has no usable address.
    var sourceKey: Digest? { if case .success(let source) = source { source.rowKey } else { nil } }
}
