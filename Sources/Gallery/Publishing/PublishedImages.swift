internal import Imaging
internal import Ledger
internal import PhotoModel
internal import Site

/// The picture files of a photo as its pages show them. Files of the same size and kind are one image.
struct PublishedImages {
    /// The filtered images, narrowest first.
    let filtered: [SiteImage]
    let unfiltered: SiteImage?
    /// The images of earlier originals, by the digests of these; empty for most photos.
    let versions: [Digest: SiteImage]

    /// The folder of pictures in the site.
    static let folder = "images/"

    /// - Parameter folder: where the files are: a path relative to the site, or a URL; it ends in a slash.
    init(_ pictures: [PublishedPicture], in folder: String = Self.folder) {
        var filtered: [SiteImage] = []
        var unfiltered: SiteImage?
        var versions: [Digest: SiteImage] = [:]
        for picture in pictures where !picture.isWebP {
            let webp = pictures.first {
                $0.isWebP && $0.width == picture.width && $0.content == picture.content
            }
            let image = SiteImage(picture, webp: webp, in: folder)
            switch picture.content {
            case .filtered: filtered.append(image)
            case .unfiltered: unfiltered = unfiltered ?? image
            case .version(let original): versions[original] = image
            }
        }
        self.filtered = filtered
        self.unfiltered = unfiltered
        self.versions = versions
    }
}

extension PublishedPicture {
    private static let webPSuffix = "." + PictureFormat.webp.fileExtension

    var isWebP: Bool { fileName.hasSuffix(Self.webPSuffix) }

    var isPNG: Bool { fileName.hasSuffix("." + PictureFormat.png.fileExtension) }
}

extension SiteImage {
    fileprivate init(_ picture: PublishedPicture, webp: PublishedPicture?, in folder: String) {
        self.init(
            width: picture.width, height: picture.height, path: folder + picture.fileName, bytes: picture.bytes,
            webp: webp.map { SiteEncoding(path: folder + $0.fileName, bytes: $0.bytes) })
    }
}
