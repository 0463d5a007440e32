internal import PhotoModel

/// The key of each page: a digest of all that the page is made of, which costs little beside making it. A page whose key
/// is the same as when it was made need not be made again.
///
/// Only the templates say which of its data a page shows; so the key is made of all data that they could ask for.
struct PageKeys: Sendable {
    private let content: SiteContent
    private let albums: AlbumTree
    private let summary: String
    /// Of the settings, the templates and what else all pages have in common.
    private let frame: String
    /// Parallel to the content's photos.
    private let photos: [String]
    /// Whether the templates may show the time of the last change anywhere; the built-in ones do so on the first page.
    private let showsTimeAnywhere: Bool

    init(
        _ content: SiteContent, frame: SiteFrame, summary: SiteSummary, albums: AlbumTree, templates: TemplateSet
    ) {
        self.content = content
        self.albums = albums
        self.summary = String(reflecting: summary)
        self.frame = Digest(of: "\(templates.digest) \(String(reflecting: frame))").hex
        photos = content.photos.map { Self.short($0.digest) }
        showsTimeAnywhere = !templates.isBuiltIn
    }

    /// A part of the digest that no change of a page leaves as it is, and that takes no memory of its own: 60 bits.
    private static func short(_ digest: Digest) -> String { digest.prefix(15) }

    private func key(_ kind: String, _ parts: [String]) -> String {
        Self.short(Digest(of: ([kind, frame] + parts).joined(separator: "\u{1F}")))
    }

    /// - Parameter upPath: the page that lists the photo.
    func photo(_ index: Int, upPath: String) -> String {
        let trail = albums.trail(to: content.photos[index].album).flatMap { [$0.name, $0.slug] }
        let neighbours = [index - 1, index + 1].flatMap { other in
            content.photos.indices.contains(other) ? [content.photos[other].name, content.photos[other].slug] : [""]
        }
        let place = [String(index), String(content.photos.count), upPath]
        return key("photo", [photos[index]] + neighbours + place + [String(trail.count)] + trail)
    }

    /// - Parameters:
    ///   - number: from 1.
    ///   - range: the photos that it lists.
    func index(_ number: Int, of count: Int, photos range: Range<Int>) -> String {
        let isFirst = number == 1
        let time = isFirst || showsTimeAnywhere ? content.updated.description : ""
        let tree = isFirst ? albums.roots.map(Self.describe).joined() : ""
        return key("index", [String(number), String(count), summary, time, tree] + photos[range])
    }

    func album(_ index: Int) -> String {
        let trail = albums.trail(to: content.albums[index].path).flatMap { [$0.name, $0.slug] }
        let node = albums.nodes[index]
        return key("album", [Self.describe(node), String(trail.count)] + trail + node.photos.map { photos[$0] })
    }

    /// - Parameter name: of a file that shows all photos.
    func all(_ name: String) -> String {
        key(name, [content.updated.description] + content.albums.flatMap { [$0.slug] + $0.path } + photos)
    }

    /// An album with all that are in it.
    private static func describe(_ node: AlbumTree.Node) -> String {
        "(\(node.name)\u{1F}\(node.slug)\u{1F}\(node.total)\(node.children.map(describe).joined()))"
    }
}
