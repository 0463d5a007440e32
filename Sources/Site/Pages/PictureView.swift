/// A picture in all sizes in which it is published.
final class PictureView: TemplateContext {
    /// The sizes of the picture, narrowest first; at least one.
    let images: [SiteImage]
    let root: String
    let language: PageLanguage

    init?(_ images: [SiteImage], root: String, language: PageLanguage) {
        guard !images.isEmpty else { return nil }
        self.images = images
        self.root = root
        self.language = language
    }

    private var largest: SiteImage { images[images.count - 1] }

    /// The narrowest size of 600 px or more, or else the widest one, for browsers without support for srcset.
    private var fallback: SiteImage { images.first { $0.width >= 600 } ?? largest }

    private func href(_ image: SiteImage) -> String { href(image.path) }
    private func href(_ path: String) -> String { SitePath.link(toPicture: path, root: root) }

    /// The srcset of the WebP files, if each size has one.
    private var webpSet: String? {
        let candidates = images.compactMap { image in image.webp.map { "\(href($0.path)) \(image.width)w" } }
        return candidates.count == images.count ? candidates.joined(separator: ", ") : nil
    }

    static let vocabulary = TemplateSchema<PictureView>([
        "src": .text { $0.href($0.fallback) },
        "srcset": .text { picture in
            picture.images.map { "\(picture.href($0)) \($0.width)w" }.joined(separator: ", ")
        },
        "webp": .text { $0.webpSet },
        "thumbnail": .object { PictureView([$0.images[0]], root: $0.root, language: $0.language) },
        "largest": .text { $0.href($0.largest) },
        "width": .number { $0.largest.width },
        "height": .number { $0.largest.height },
        "size": .text { $0.language.size($0.largest.bytes) },
    ])
}
