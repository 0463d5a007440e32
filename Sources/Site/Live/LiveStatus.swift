internal import PhotoModel

/// status.js: what a page that is open while its site is built asks for again and again. It tells how far the build
/// is, and hands over the cards of the photos that became ready, as the page itself would have shown them.
///
/// Not for several threads at once.
package struct LiveStatus {
    /// The end of a build.
    package enum End: String, Sendable {
        /// Every photo is in its last state.
        case done
        /// The build was interrupted, or failed.
        case stopped
    }

    /// Tells one build from another.
    private let build = String(UInt64.random(in: .min ... .max), radix: 16)
    package var ready = 0
    package let total: Int
    package var end: End?
    private let templates: TemplateSet
    private let language: PageLanguage
    /// The newest cards, oldest first, as JSON; those before them have been dropped.
    private var cards: [[UInt8]] = []
    /// The records of the same photos.
    private var records: [[UInt8]] = []
    private var dropped = 0

    /// A page that looks once a second sees them all unless more photos than this are ready each second.
    private static let mostCards = 400
    /// Stands for the way from a page to the site's folder: the last of the characters for private use.
    private static let root = "\u{10FFFD}"

    package init(total: Int, templates: TemplateSet) {
        self.total = total
        self.templates = templates
        language = templates.language
    }

    package mutating func add(_ photo: SitePhoto) {
        // No picture is loaded before it comes near, as nobody knows where on its page a card is.
        let view = PhotoView(photo, root: Self.root, language: language, position: Int.max)
        cards.append(JSON.text(String(decoding: templates.render("card", view), as: UTF8.self)).bytes)
        records.append(photoData(photo, language).bytes)
        if cards.count > Self.mostCards {
            dropped += 1
            cards.removeFirst()
            records.removeFirst()
        }
    }

    package var file: SiteFile {
        let head: JSON = [
            "build": .text(build), "first": .number(dropped), "ready": .number(ready), "total": .number(total),
            "end": .text(end?.rawValue),
        ]
        var bytes = Array("window.galleryLive = ".utf8)
        head.write(to: &bytes)
        bytes.removeLast("}".utf8.count)
        for (name, list) in [("cards", cards), ("records", records)] {
            bytes += ",\"\(name)\":[".utf8
            bytes += list.joined(separator: ",\n".utf8)
            bytes += "]".utf8
        }
        bytes += "};\n".utf8
        return SiteFile(path: SitePath.live, bytes: bytes)
    }
}
