internal import Manifest

/// Gives each album a name that is unique within its parent album. Albums with equal labels stay separate.
package struct AlbumNames {
    private var keys: [AlbumIdentity: DictKeys] = [:]
    /// The maximum length of a name without the number that is appended to a repeated name. With the number, the name
    /// is not longer than an album's name may be.
    private static let length = ImportLimits.albumLength - 10

    package init() {}

    /// - Parameter album: the path of the parent album.
    package mutating func name(_ label: String, in album: [String]) -> String {
        let name = PlainText.shortened(label, to: Self.length) ?? "Untitled"
        return keys[AlbumIdentity(album), default: DictKeys(isRoot: album.isEmpty)].photo(name)
    }
}
