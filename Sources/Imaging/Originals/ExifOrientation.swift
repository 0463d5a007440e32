internal import CLibExif

extension Orientation {
    /// The orientation that EXIF data name; upright where they are silent, or name one that does not exist.
    init(_ exif: ExifBlock?) {
        self = exif?.number(EXIF_TAG_ORIENTATION, in: .ifd0).flatMap(Orientation.init(rawValue:)) ?? .upright
    }
}
