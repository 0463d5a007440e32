internal import Manifest

/// Gives each album a name that no other one in the same album has, as albums of equal labels are different ones.
package struct AlbumNames {
    private var keys: [AlbumIdentity: DictKeys] = [:]
    /// A number is put behind names that repeat, and the whole is not cut.
    private static let length = ImportLimits.albumLength - 10

    package init() {}

    /// - Parameter album: the path of the album around it.
    package mutating func name(_ label: String, in album: [String]) -> String {
        let name = PlainText.shortened(label, to: Self.length) ?? "Untitled"
        return keys[AlbumIdentity(album), default: DictKeys(isRoot: album.isEmpty)].photo(name)
    }
}
