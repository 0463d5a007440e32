internal import CLibExif

extension Orientation {
    /// The orientation that EXIF data state; upright if they state none, or one that does not exist.
    init(_ exif: ExifBlock?) {
        self = exif?.number(EXIF_TAG_ORIENTATION, in: .ifd0).flatMap(Orientation.init(rawValue:)) ?? .upright
    }
}
