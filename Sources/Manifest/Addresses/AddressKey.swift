internal import PhotoModel

/// The keys that tell addresses apart where `Source.key` can't: it has no key for what is unusable, and its keys of
/// files differ from machine to machine, while slugs are made of keys and must not.
enum AddressKey {
    private static let relativeMark = "path:"

    /// - Parameters: absolute and without dots.
    static func relative(_ path: String, to directory: String) -> String {
        relativeMark + FilePath.relative(path, to: directory)
    }

    /// No key of a usable address begins like this: those begin with a scheme.
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
            addressKey: AddressKey.relative(path, to: directory), details: details, filter: filter, position: position)
    }
}
