internal import Manifest

/// Photos in their albums. Each album is in the position of its first photo or album.
struct AlbumTree {
    /// An entry of an album.
    enum Node {
        case photo(ImportedPhoto)
        case album(Album)
    }

    /// An album with its photos and albums. It is a class because it grows while others refer to it.
    final class Album {
        let name: String
        var nodes: [Node] = []
        let shape: ImportedList.Shape

        init(_ name: String, shape: ImportedList.Shape) {
            self.name = name
            self.shape = shape
        }

        /// Whether the album is a dict. An album that contains albums must be one, because only a dict has keys for
        /// their names.
        var isDict: Bool {
            shape == .dicts || nodes.contains { if case .album = $0 { true } else { false } }
        }
    }

    let root: Album

    init(_ photos: [ImportedPhoto], shape: ImportedList.Shape) {
        root = Album("", shape: shape)
        var albums: [AlbumIdentity: Album] = [AlbumIdentity([]): root]
        for photo in photos {
            var album = root
            for depth in photo.album.indices {
                let path = AlbumIdentity(Array(photo.album[...depth]))
                if let known = albums[path] {
                    album = known
                    continue
                }
                let inner = Album(photo.album[depth], shape: shape)
                album.nodes.append(.album(inner))
                albums[path] = inner
                album = inner
            }
            album.nodes.append(.photo(photo))
        }
    }
}

extension AlbumTree.Album {
    /// The album as the text of a dict or an array.
    func text(indented indent: String, isRoot: Bool = false) -> String {
        let inner = isRoot ? PropertyListWriter.indentation : indent + PropertyListWriter.indentation
        let isDict = isDict
        var keys = DictKeys(isRoot: isRoot)
        // Albums keep their names. A photo with the same name gets another one.
        for case .album(let album) in nodes { keys.reserve(album.name) }
        let lines = nodes.map { node in
            switch node {
            case .album(let album):
                PropertyListWriter.key(album.name, indented: inner) + "\n" + album.text(indented: inner)
            case .photo(let photo) where isDict:
                PropertyListWriter.key(keys.photo(photo.nameAsKey), indented: inner) + "\n"
                    + PropertyListWriter.dict(photo, indented: inner, isNamed: true)
            case .photo(let photo): PropertyListWriter.dict(photo, indented: inner, isNamed: false)
            }
        }
        let element = isDict ? "dict" : "array"
        return "\(indent)<\(element)>\n" + lines.joined(separator: "\n") + "\n\(indent)</\(element)>"
    }
}

extension ImportedPhoto {
    /// The name that is used if a key is needed: the photo's name or, if it has none, the name of its file.
    var nameAsKey: String {
        if let name { return name }
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let file = FileName.withoutExtension(FileName.last(ofPath: String(path)))
        return PlainText.shortened(file, to: ImportLimits.nameLength) ?? "Untitled"
    }
}

/// The keys of one dict, which must be unique.
struct DictKeys {
    private var used: Set<PhotoIdentity> = []
    /// The last number that was appended to each name.
    private var numbers: [PhotoIdentity: Int] = [:]
    private let isRoot: Bool

    init(isRoot: Bool) {
        self.isRoot = isRoot
    }

    /// - Returns: whether the key was free.
    @discardableResult
    mutating func reserve(_ key: String) -> Bool { used.insert(Self.exact(key)).inserted }

    /// The key of a photo: "Lake", or "Lake (2)" for the next photo with this name.
    mutating func photo(_ name: String) -> String {
        let name = isRoot ? name : Self.usable(name)
        let key = Self.exact(name)
        guard !used.insert(key).inserted else { return name }
        var number = numbers[key] ?? 1
        var candidate: String
        repeat {
            number += 1
            candidate = "\(name) (\(number))"
        } while !used.insert(Self.exact(candidate)).inserted
        numbers[key] = number
        return candidate
    }

    /// The name, changed if it is one of the keys of addresses: a dict with such a key is a photo, so no album may have
    /// a member with that name.
    static func usable(_ name: String) -> String {
        guard EntryKey.addresses.contains(where: { $0.rawValue == name }) else { return name }
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// A key that is compared byte by byte, as in the reader of lists.
    private static func exact(_ key: String) -> PhotoIdentity { PhotoIdentity(album: [], name: key, addressKey: nil) }
}
