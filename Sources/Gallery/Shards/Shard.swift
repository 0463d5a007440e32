internal import Addresses
internal import Imaging
internal import Manifest
internal import PhotoModel

/// A share of a list: shard `index` of `count`, counted from 1.
package struct Shard: Hashable, Sendable, CustomStringConvertible {
    package let index: Int
    package let count: Int

    /// The largest number of shards.
    package static let largestCount = 100_000

    package init?(_ index: Int, of count: Int) {
        guard (1...Self.largestCount).contains(count), (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Parses "3/8".
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let index = Int(parts[0]), let count = Int(parts[1])
        else { return nil }
        self.init(index, of: count)
    }

    /// The shard as users write it, such as "3/8".
    package var description: String { "\(index)/\(count)" }

    /// The name of the shard in the store and in the state folder, such as "3-of-8".
    package var name: String { "\(index)-of-\(count)" }

    /// Parses a name such as "3-of-8".
    init?(name: Substring) {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == "of" else { return nil }
        self.init(parts[0] + "/" + parts[2])
    }

    private init?(_ text: Substring) { self.init(String(text)) }

    /// Whether the photo with this digest belongs to the shard.
    func contains(_ digest: Digest) -> Bool { digest.firstHalf.0 % UInt64(count) == UInt64(index - 1) }
}

/// The property by which photos are divided into shards: photos of the same shard agree in its digest.
package enum ShardingKey: String, CaseIterable, Sendable {
    /// The address. The photos of a list are spread evenly, and a photo stays in its shard when the list changes.
    case address
    /// The host of the address, so that the limits on one host hold for all shards together.
    case host

    /// The digest that decides the shard of a photo.
    /// - Parameters:
    ///   - key: the ledger key of the photo.
    ///   - sourceKey: the ledger key of its address; nil if it has no usable address.
    func digest(of photo: ManifestPhoto, key: Digest, sourceKey: Digest?) -> Digest {
        guard self == .host, case .success(let source) = photo.source, case .remote(let url) = source.location,
            // An address that libcurl can't parse fails on any machine.
            let host = try? ParsedURL(url).host, !host.isEmpty
        else { return sourceKey ?? key }
        return Digest(of: host.lowercased())
    }
}

extension PhotoList {
    /// Whether each photo of the list belongs to a shard, parallel to the list's photos.
    func membership(in shard: Shard, by sharding: ShardingKey, _ keys: LedgerKeys) -> [Bool] {
        photos.indices.map { index in
            shard.contains(
                sharding.digest(of: photos[index], key: keys.photos[index], sourceKey: keys.sources[index]))
        }
    }

    /// The name under which the store has the shards of this list: a digest of everything that decides what is in the
    /// shards and in the records of their photos. The order of the photos and their texts are not part of it.
    /// - Parameter options: the rendering options of the photos without a filter of their own.
    func identity(by sharding: ShardingKey, options: DerivativeOptions, _ keys: LedgerKeys) -> String {
        let common = PhotoRecipe(options).text
        let photos = photos.indices.map { index in
            let recipe = ownRecipe(ofPhotoAt: index, options: options) ?? ""
            return Digest(of: "\(keys.photos[index].hex)\n\(keys.sources[index]?.hex ?? "")\n\(recipe)")
        }
        var hasher = ContentHasher()
        hasher.update([UInt8]("\(sharding.rawValue)\n\(common)\n".utf8).span.bytes)
        for photo in photos.sorted() { hasher.update([UInt8](photo.hex.utf8).span.bytes) }
        return hasher.finish().prefix(16)
    }

    /// The recipe of a photo with a filter of its own; nil for any other photo.
    /// - Parameter options: the rendering options of the photos without a filter of their own.
    func ownRecipe(ofPhotoAt index: Int, options: DerivativeOptions) -> String? {
        filters[index].map { PhotoRecipe(options.with(filter: $0)).text }
    }
}
