/// A picture in the sizes that there are of it.
struct PictureView: TemplateSubject {
    /// Narrowest first, at least one.
    let images: [SiteImage]
    let root: String

    init?(_ images: [SiteImage], root: String) {
        guard !images.isEmpty else { return nil }
        self.images = images
        self.root = root
    }

    private var largest: SiteImage { images[images.count - 1] }

    /// The narrowest of 600 px or more, else the widest: for browsers that know no srcset.
    private var middle: SiteImage { images.first { $0.width >= 600 } ?? largest }

    private func href(_ image: SiteImage) -> String { root + SitePath.encoded(image.path) }

    static let vocabulary = Vocabulary<PictureView>([
        "src": .text { $0.href($0.middle) },
        "srcset": .text { picture in
            picture.images.map { "\(picture.href($0)) \($0.width)w" }.joined(separator: ", ")
        },
        "largest": .text { $0.href($0.largest) },
        "width": .number { $0.largest.width },
        "height": .number { $0.largest.height },
        "size": .text { FileSize($0.largest.bytes).description },
    ])
}

/// A number of bytes in words: "1.2 MB", in decimal units.
struct FileSize: CustomStringConvertible {
    let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    var description: String {
        switch bytes {
        case 10_000_000...: "\((bytes + 500_000) / 1_000_000) MB"
        case 999_500...: "\((bytes + 50_000) / 1_000_000).\((bytes + 50_000) / 100_000 % 10) MB"
        case 1_000...: "\((bytes + 500) / 1_000) kB"
        default: "\(bytes) B"
        }
    }
}

/// Roughly which way a picture lies: by it the style sheet fits pictures into the room there is, without a style
/// attribute, which the pages' security policy forbids.
enum PictureShape: String {
    case tall, square, wide, panorama

    init(width: Int, height: Int) {
        let ratio = Double(max(width, 1)) / Double(max(height, 1))
        self = ratio < 0.9 ? .tall : ratio < 1.2 ? .square : ratio < 1.65 ? .wide : .panorama
    }
}
