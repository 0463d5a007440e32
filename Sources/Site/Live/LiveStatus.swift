internal import PhotoModel

/// status.js, which an open page requests again and again while its site is built. It tells the progress of the build,
/// and has the cards of the photos that became ready, as the page itself would show them.
///
/// Not thread-safe.
package struct LiveStatus {
    /// How a build ended.
    package enum End: String, Sendable {
        /// Every photo has reached its final state.
        case done
        /// The build was interrupted, or failed.
        case stopped
    }

    /// A random number that identifies the build.
    private let build = String(UInt64.random(in: .min ... .max), radix: 16)
    package var ready = 0
    package let total: Int
    package var end: End?
    private let templates: TemplateSet
    /// The newest cards as JSON, oldest first. Older ones have been dropped.
    private var cards: [[UInt8]] = []
    /// The records of the same photos.
    private var records: [[UInt8]] = []
    private var dropped = 0

    /// The number of cards in status.js. A page that requests it once a second sees all cards unless more photos than
    /// this become ready in a second.
    private static let maximumCards = 400

    package init(total: Int, templates: TemplateSet) {
        self.total = total
        self.templates = templates
    }

    package mutating func add(_ photo: SitePhoto) {
        let update = PhotoUpdate(photo, templates: templates)
        cards.append(update.card)
        records.append(update.record)
        if cards.count > Self.maximumCards {
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
