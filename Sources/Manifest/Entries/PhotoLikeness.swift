/// Tells whether a dict without an address was probably meant for a photo: it has the keys of one, or such as people
/// think it has.
struct PhotoLikeness {
    /// The key under which the address probably is; nil if none looks like it.
    let addressKey: String?

    /// Keys that other programs use for an address.
    private static let otherAddressKeys: Set<String> = [
        "file", "filename", "path", "href", "uri", "address", "source", "photo", "picture", "img", "location", "link",
    ]
    /// Keys that nobody uses as the name of a photo.
    private static let details: Set<EntryKey> = [
        .caption, .subtitle, .description, .alt, .credit, .license, .tags, .filter, .rating,
    ]

    /// - Parameters:
    ///   - keys: of the values that can't be albums.
    ///   - all: how many keys there are.
    /// - Returns: nil for what is an album.
    init?(keys: some Sequence<String>, all: Int) {
        // A photo has few keys, and names of photos in a large album may be like them.
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
