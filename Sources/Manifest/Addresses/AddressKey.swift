internal import PhotoModel

/// The keys that tell addresses apart where `Source.key` can't: it has no key for an unusable address, and its keys of
/// files differ between machines. Slugs are derived from keys, and must not differ.
enum AddressKey {
    private static let relativeMark = "path:"

    /// The key of a path as seen from a folder. Both are absolute and normalised.
    static func relative(_ path: String, to directory: String) -> String {
        relativeMark + FilePath.relative(path, to: directory)
    }

    /// The key of an unusable address. No key of a usable address begins like this, because those begin with a scheme.
    static func unusable(_ text: String) -> String { "?" + text }
}

extension ManifestPhoto {
    /// The photo with its key as seen from another folder.
    func rebased(to directory: String) -> ManifestPhoto {
        guard case .success(.file(let path)) = source.map(\.location), !addressKey.hasPrefix("file:") else {
            return self
        }
        return ManifestPhoto(
            album: album, name: name, source: source, shownSource: shownSource,
            addressKey: AddressKey.relative(path, to: directory), details: details, extras: extras, position: position)
    }
}
