internal import Imaging
internal import Ledger
internal import Site

/// The picture files of a photo as its pages show them. Files of the same size and kind are one image.
struct PublishedImages {
    /// The filtered images, narrowest first.
    let filtered: [SiteImage]
    let unfiltered: SiteImage?

    init(_ pictures: [PublishedPicture]) {
        let images = pictures.filter { !$0.isWebP }.map { picture in
            let webp = pictures.first {
                $0.isWebP && $0.width == picture.width && $0.isUnfiltered == picture.isUnfiltered
            }
            return (isUnfiltered: picture.isUnfiltered, image: SiteImage(picture, webp: webp))
        }
        filtered = images.filter { !$0.isUnfiltered }.map(\.image)
        unfiltered = images.first(where: \.isUnfiltered)?.image
    }
}

extension PublishedPicture {
    var isWebP: Bool { fileName.hasSuffix("." + PictureFormat.webp.fileExtension) }

    fileprivate var path: String { "images/" + fileName }
}

extension SiteImage {
    fileprivate init(_ picture: PublishedPicture, webp: PublishedPicture?) {
        self.init(
            width: picture.width, height: picture.height, path: picture.path, bytes: picture.bytes,
            webp: webp.map { SiteEncoding(path: $0.path, bytes: $0.bytes) })
    }
}
