/// Decides whether a dict without an address was probably meant to be a photo: it has the keys of a photo, or keys that
/// people think a photo has.
struct PhotoHeuristic {
    /// The key that probably has the address; nil if no key looks like it.
    let addressKey: String?

    /// The keys that other programs use for an address.
    private static let otherAddressKeys: Set<String> = [
        "file", "filename", "path", "href", "uri", "address", "source", "photo", "picture", "img", "location", "link",
    ]
    /// The keys that nobody uses as the name of a photo.
    private static let details: Set<EntryKey> = [
        .caption, .subtitle, .description, .alt, .credit, .license, .tags, .filter, .rating,
    ]

    /// - Parameters:
    ///   - keys: the keys whose values can't be albums.
    ///   - all: the number of all keys.
    /// - Returns: nil if the dict is an album.
    init?(keys: some Sequence<String>, all: Int) {
        // A photo has few keys. In a large album, the names of photos can look like a photo's keys.
        guard all > 0, all <= EntryKey.allCases.count * 2 else { return nil }
        var known = 0
        var hasDetail = false
        var address: String?
        for key in keys {
            let name = key.lowercased()
            let entryKey = EntryKey(rawValue: name)
            let isAddress = entryKey.map(EntryKey.addresses.contains) ?? Self.otherAddressKeys.contains(name)
            if isAddress || name == "link", address == nil { address = key }
            if isAddress || entryKey != nil { known += 1 }
            if let entryKey, Self.details.contains(entryKey) { hasDetail = true }
        }
        guard hasDetail || known == all else { return nil }
        addressKey = address
    }
}
