internal import PhotoModel

/// The tree of a site's albums, with the photos in each album.
struct AlbumHierarchy: Sendable {
    /// An album. It doesn't change after the tree is built.
    final class Node: @unchecked Sendable {
        // This is safe: only the thread that builds the tree changes nodes, and it does so before it shares them.
        let name: String
        let slug: String
        fileprivate(set) var children: [Node] = []
        /// The indices of the photos directly in this album, in the content's photos.
        fileprivate(set) var photos: [Int] = []
        /// The number of photos in this album and all albums in it.
        fileprivate(set) var total = 0
        /// The index of the first photo with a picture in this album and all albums in it; nil if there is none.
        fileprivate(set) var cover: Int?
        /// The indices of the albums that contain this one, outermost first.
        fileprivate(set) var ancestors: [Int] = []

        fileprivate init(name: String, slug: String) {
            self.name = name
            self.slug = slug
        }
    }

    /// All albums, in the order of the content.
    let nodes: [Node]
    /// The albums that are in no other album.
    let roots: [Node]
    /// For each photo of the content, its position among the photos directly in the same album, counted from 0.
    private(set) var positionsInAlbum: [Int] = []
    /// For each photo of the content, the index of its album; nil for a photo in no album.
    private(set) var albumIndices: [Int?] = []
    private let indicesByPath: [[ExactText]: Int]
    /// The album of the last added photo. Consecutive photos are mostly in the same album, so this saves a look-up.
    private var lastAlbum: (path: [ExactText], node: Int)?

    /// - Parameter photoCount: the number of photos that will be added.
    init(albums: [SiteAlbum], photoCount: Int) {
        let nodes = albums.map { Node(name: $0.path.last ?? "", slug: $0.slug) }
        let indicesByPath = Dictionary(
            albums.enumerated().map { ($1.path.map(ExactText.init), $0) }, uniquingKeysWith: { first, _ in first })
        var roots: [Node] = []
        for (index, album) in albums.enumerated() {
            let path = album.path.map(ExactText.init)
            nodes[index].ancestors = (1..<max(1, path.count)).compactMap { indicesByPath[Array(path.prefix($0))] }
            if let parent = indicesByPath[Array(path.dropLast())] {
                nodes[parent].children.append(nodes[index])
            } else {
                roots.append(nodes[index])
            }
        }
        self.nodes = nodes
        self.roots = roots
        self.indicesByPath = indicesByPath
        positionsInAlbum.reserveCapacity(photoCount)
        albumIndices.reserveCapacity(photoCount)
    }

    /// Adds the next photo of the content to its album.
    mutating func add(_ path: [String], hasPicture: Bool) {
        guard !path.isEmpty, let album = node(at: path) else {
            positionsInAlbum.append(0)
            albumIndices.append(nil)
            return
        }
        positionsInAlbum.append(nodes[album].photos.count)
        albumIndices.append(album)
        nodes[album].photos.append(positionsInAlbum.count - 1)
        for node in nodes[album].ancestors + [album] {
            nodes[node].total += 1
            if hasPicture, nodes[node].cover == nil { nodes[node].cover = positionsInAlbum.count - 1 }
        }
    }

    private mutating func node(at path: [String]) -> Int? {
        if let lastAlbum, lastAlbum.path.elementsEqual(path, by: { $0 == ExactText($1) }) { return lastAlbum.node }
        let path = path.map(ExactText.init)
        guard let node = indicesByPath[path] else { return nil }
        lastAlbum = (path, node)
        return node
    }

    /// The albums that contain a photo, outermost first; empty for a photo in no album.
    func breadcrumbs(toPhoto index: Int) -> [Node] { albumIndices[index].map { breadcrumbs(to: $0) } ?? [] }

    /// An album and the albums that contain it, outermost first.
    func breadcrumbs(to node: Int) -> [Node] { (nodes[node].ancestors + [node]).map { nodes[$0] } }
}
