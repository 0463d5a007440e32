internal import PhotoModel

/// An album in a list of albums, with the albums in it.
final class AlbumView: TemplateSubject {
    private let node: AlbumTree.Node
    private let root: String
    private let language: PageLanguage

    init(_ node: AlbumTree.Node, root: String, language: PageLanguage) {
        self.node = node
        self.root = root
        self.language = language
    }

    static let vocabulary = Vocabulary<AlbumView>([
        "albumName": .text { $0.node.name },
        "href": .text { $0.root + SitePath.encoded(SitePath.album($0.node.slug)) },
        "count": .object { CountView($0.node.total, $0.language) },
        "albums": .list { album in
            album.node.children.map { AlbumView($0, root: album.root, language: album.language) }
        },
        "hasAlbums": .flag { !$0.node.children.isEmpty },
    ])
}

/// The albums of a site, each with what lies in it.
struct AlbumTree: Sendable {
    /// One album. Not changed any more once the tree is made.
    final class Node: @unchecked Sendable {
        // Sendable: written only while `AlbumTree.init` runs, which shares no node before it returns.
        let name: String
        let slug: String
        fileprivate(set) var children: [Node] = []
        /// Indices into the content's photos: those directly in this album.
        fileprivate(set) var photos: [Int] = []
        /// The number of photos in this album and in those in it.
        fileprivate(set) var total = 0
        /// The albums that this one lies in, outermost first.
        fileprivate(set) var ancestors: [Int] = []

        fileprivate init(name: String, slug: String) {
            self.name = name
            self.slug = slug
        }
    }

    /// In the content's order.
    let nodes: [Node]
    /// Those that lie in no other.
    let roots: [Node]
    /// Of each photo, its place among those directly in its album, from 0.
    let places: [Int]
    private let indices: [[String]: Int]

    init(_ content: SiteContent) {
        let nodes = content.albums.map { Node(name: $0.path.last ?? "", slug: $0.slug) }
        let indices = Dictionary(
            content.albums.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        var roots: [Node] = []
        for (index, album) in content.albums.enumerated() {
            nodes[index].ancestors = (1..<max(1, album.path.count)).compactMap { indices[Array(album.path.prefix($0))] }
            if let parent = indices[Array(album.path.dropLast())] {
                nodes[parent].children.append(nodes[index])
            } else {
                roots.append(nodes[index])
            }
        }
        var places = [Int](repeating: 0, count: content.photos.count)
        for (index, photo) in content.photos.enumerated() where !photo.album.isEmpty {
            guard let album = indices[photo.album] else { continue }
            places[index] = nodes[album].photos.count
            nodes[album].photos.append(index)
            for node in nodes[album].ancestors + [album] { nodes[node].total += 1 }
        }
        self.nodes = nodes
        self.roots = roots
        self.indices = indices
        self.places = places
    }

    /// The albums that lead to the one at `path`, outermost first, itself included; none if there is no such album.
    func trail(to path: [String]) -> [Node] {
        guard !path.isEmpty, let album = indices[path] else { return [] }
        return (nodes[album].ancestors + [album]).map { nodes[$0] }
    }
}
