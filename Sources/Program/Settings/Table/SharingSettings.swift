internal import ArgumentParser
package import Gallery
package import ObjectStore

/// The settings of builds that several machines share.
package struct SharingSettings: SettingGroup {
    package static let title = "Several machines"
    package static let table = SharingSettings()

    package let store = Setting(
        "store", .storeAddress, unset: "none", example: "s3://example-photos/work",
        help: "Where the results of all shards are: a folder that all machines mount, or s3://bucket/prefix.",
        details: """
            With `--shard`, the build puts its results there. Without it, the build makes the site from all results \
            and downloads no photo. \
            [A million photos](../how-to/a-million-photos.md) shows how.
            """)

    package let shard = Setting(
        "shard", .shard, unset: "none", example: "3/8",
        help: "Do only this share of the photos, and put the results into the store.",
        details: "Shard 3/8 is the third of eight. No page is published.")

    package let shardBy = Setting(
        "shard-by", .shardingKey, default: "address",
        help: "Whether photos are spread over the shards by their addresses, or by the hosts of these.",
        details: """
            With `host`, all photos of a host are in one shard, so that the limits on downloads from a host hold for \
            all workers together. The shards are then less even. All shards and the build of the site need the same \
            value.
            """)

    package let storeOriginals = Setting(
        "store-originals", .toggle, default: "false", help: "Put the originals into the store, too.",
        details: "Then photos can be filtered anew without downloading them again.")

    package let imagesAt = Setting(
        "images-at", .pictureURL, unset: "none", example: "https://example.org/work/images/",
        help: "The address at which visitors find the pictures of the store; the site is made without pictures.",
        details: "It is that of the folder `images` in the store.")

    package let s3Endpoint = Setting(
        "s3-endpoint", .baseURL, unset: "from the environment", example: "https://s3.example.org/",
        help: "The address of the S3 server of the store.",
        details: "Otherwise `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL` and the profile are used, as by the AWS tools.")
}

extension SettingKind<String> {
    /// Only characters that a Content-Security-Policy and a `srcset` can have.
    static let pictureURL = SettingKind(
        "url", allowed: "an absolute http or https address of letters, digits and :/.-_~%, without query and fragment",
        parse: { text in
            let isPlain = text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte & ~32) || ":/.-_~%[]".utf8.contains(byte)
            }
            return isPlain ? SettingParsers.baseURL(text) : nil
        })
}

extension SettingKind<Shard> {
    static let shard = SettingKind(
        "i/n", allowed: "a shard such as 3/8, from 1/1 to \(Shard.largestCount)/\(Shard.largestCount)",
        parse: { Shard($0) })
}

extension SettingKind<ShardingKey> {
    static let shardingKey = SettingKind(
        "key", allowed: "address or host", completion: .list(ShardingKey.allCases.map(\.rawValue)),
        parse: { ShardingKey(rawValue: $0) })
}

extension SettingKind<StoreAddress> {
    static let storeAddress = SettingKind(
        "store", allowed: "a folder, or s3://bucket/prefix", completion: .directory,
        parse: { text in
            // `explain` reports the mistake.
            try? StoreAddress(text)
        },
        explain: { text in
            do throws(StoreAddress.Problem) {
                _ = try StoreAddress(text)
                return nil
            } catch {
                return error.message
            }
        })
}
