internal import PhotoModel

/// The identity of a photo across builds: its album and name, and also its address if these two repeat.
package struct PhotoIdentity: Hashable, Sendable {
    package let album: [String]
    package let name: String
    /// The key of the address; nil unless the name repeats in its album. It can contain secrets and is never shown.
    package let addressKey: String?

    package init(album: [String], name: String, addressKey: String?) {
        self.album = album
        self.name = name
        self.addressKey = addressKey
    }

    package static func == (left: PhotoIdentity, right: PhotoIdentity) -> Bool {
        ExactText(left.name) == ExactText(right.name)
            && left.addressKey.map(ExactText.init) == right.addressKey.map(ExactText.init)
            && left.album.elementsEqual(right.album) { ExactText($0) == ExactText($1) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(album.count)
        for name in album { hasher.combine(ExactText(name)) }
        hasher.combine(ExactText(name))
        hasher.combine(addressKey.map(ExactText.init))
    }
}

/// The identity of an album: its path, compared byte by byte.
package struct AlbumIdentity: Hashable, Sendable {
    /// The names of the albums, outermost album first.
    package let path: [String]

    package init(_ path: [String]) {
        self.path = path
    }

    package static func == (left: AlbumIdentity, right: AlbumIdentity) -> Bool {
        left.path.elementsEqual(right.path) { ExactText($0) == ExactText($1) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path.count)
        for name in path { hasher.combine(ExactText(name)) }
    }
}

extension ManifestPhoto {
    /// The identity including the address, whether the name repeats or not.
    package var identityWithSource: PhotoIdentity {
        PhotoIdentity(album: album, name: name, addressKey: addressKey)
    }

    /// The identity of a photo whose name does not repeat in its album.
    package var identityByName: PhotoIdentity {
        PhotoIdentity(album: album, name: name, addressKey: nil)
    }
}

extension Manifest {
    /// The identities of the photos, parallel to `photos`; all of them differ.
    package func identities() -> [PhotoIdentity] {
        mayRepeatNames ? Self.identities(of: photos) : photos.map(\.identityByName)
    }

    static func identities(of photos: [ManifestPhoto]) -> [PhotoIdentity] {
        var identities = photos.map(\.identityByName)
        for index in Duplicates.indices(in: identities) { identities[index] = photos[index].identityWithSource }
        return identities
    }
}
