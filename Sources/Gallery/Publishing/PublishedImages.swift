internal import Imaging
internal import Ledger
internal import Site

/// The picture files of a photo as its pages show them. Files of the same size and kind are one image.
struct PublishedImages {
    /// The filtered images, narrowest first.
    let filtered: [SiteImage]
    let unfiltered: SiteImage?

    init(_ pictures: [PublishedPicture]) {
        var filtered: [SiteImage] = []
        var unfiltered: SiteImage?
        for picture in pictures where !picture.isWebP {
            let webp = pictures.first {
                $0.isWebP && $0.width == picture.width && $0.isUnfiltered == picture.isUnfiltered
            }
            let image = SiteImage(picture, webp: webp)
            if !picture.isUnfiltered {
                filtered.append(image)
            } else if unfiltered == nil {
                unfiltered = image
            }
        }
        self.filtered = filtered
        self.unfiltered = unfiltered
    }
}

extension PublishedPicture {
    private static let webPSuffix = "." + PictureFormat.webp.fileExtension

    var isWebP: Bool { fileName.hasSuffix(Self.webPSuffix) }

    fileprivate var path: String { "images/" + fileName }
}

extension SiteImage {
    fileprivate init(_ picture: PublishedPicture, webp: PublishedPicture?) {
        self.init(
            width: picture.width, height: picture.height, path: picture.path, bytes: picture.bytes,
            webp: webp.map { SiteEncoding(path: $0.path, bytes: $0.bytes) })
    }
}
