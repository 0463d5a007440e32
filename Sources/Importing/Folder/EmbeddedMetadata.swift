internal import Foundation
internal import Imaging
internal import Manifest
internal import PhotoModel

/// The metadata of a picture file. XMP takes precedence over IPTC, and IPTC over EXIF; for the date, EXIF comes first.
struct EmbeddedMetadata {
    let title: String?
    let details: PhotoDetails

    /// - Parameter descriptor: the descriptor of a file that is open for reading.
    init(of descriptor: Int32) {
        let segments = PictureSegments(of: descriptor)
        let xmp = segments.xmp.map(XMPPacket.init)
        let iptc = IPTCRecord(photoshop: segments.photoshop)
        let exif = segments.exif.flatMap(ExifDescription.init)
        func first(_ texts: String?...) -> String? {
            texts.lazy.compactMap { $0.map(WhiteSpace.trimmed) }.first { !$0.isEmpty }
        }
        title = first(xmp?.text(of: "dc:title"), iptc.title)
        var details = PhotoDetails()
        details.caption = first(
            xmp?.text(of: "dc:description"), iptc.caption, exif?.caption.flatMap { Self.isOfCamera($0) ? nil : $0 })
        details.alt = xmp?.text(of: "Iptc4xmpCore:AltTextAccessibility")
        let creators = xmp?.list(of: "dc:creator").joined(separator: ", ")
        details.credit = first(xmp?.text(of: "photoshop:Credit"), creators, iptc.credit, iptc.byline, exif?.artist)
        details.license = first(
            xmp?.text(of: "xmpRights:UsageTerms"), xmp?.text(of: "cc:license"),
            xmp?.text(of: "xmpRights:WebStatement"), xmp?.text(of: "dc:rights"), iptc.copyright, exif?.copyright)
        details.date = first(
            exif?.taken, xmp?.text(of: "exif:DateTimeOriginal"), xmp?.text(of: "photoshop:DateCreated"),
            iptc.date.flatMap(Self.day)
        ).map(ImportedDate.day)
        let subjects = xmp?.list(of: "dc:subject") ?? []
        details.tags = subjects.isEmpty ? iptc.keywords : subjects
        // -1 stands for a picture that was rejected, 0 for one that is not rated (XMP part 2 §2.2).
        details.rating = xmp?.text(of: "xmp:Rating").flatMap(Double.init).flatMap { (0.5...5).contains($0) ? $0 : nil }
        self.details = details
    }

    /// Whether a caption is the name of a camera, which many cameras write where a caption belongs.
    private static func isOfCamera(_ caption: String) -> Bool {
        let caption = caption.uppercased()
        return caption.hasSuffix("DIGITAL CAMERA") || ["SONY DSC", "DCIM", "SAMSUNG", "DEFAULT"].contains(caption)
    }

    /// The date "20240506" in the form of other dates.
    private static func day(_ text: String) -> String? {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6))"
    }
}
