internal import Manifest
internal import PhotoModel

/// An entry of a feed.
struct FeedItem {
    /// A picture from an element of Media RSS.
    struct Media {
        var address: String
        /// The width in pixels and the size in bytes; 0 if it is not stated.
        var width = 0.0
        var size = 0.0
        /// The number of the `media:group`; nil outside a group.
        var group: Int?
        var title: String?
        var description: String?
        var credit: String?
    }

    var base: SourceBase
    var title: String?
    var summary: String?
    var content: String?
    var mediaDescription: String?
    var link: String?
    var date: String?
    var author: String?
    var credit: String?
    var tags: [String] = []
    var license: String?
    var rights: String?
    var media: [Media] = []
    var enclosures: [String] = []
    var image: String?
    var inline: [PageReader.Picture] = []
    var thumbnails: [Media] = []

    /// The photos of the entry. An entry can have pictures of several kinds, of which the first kind is listed.
    func photos(rights channelRights: String?, author channelAuthor: String?) -> [ImportedPhoto] {
        let pictures = pictures
        guard !pictures.isEmpty else { return [] }
        // An entry can have any number of pictures, so the details that they share are read once.
        let title = title.map { Self.text($0, to: ImportLimits.nameLength) }
        let caption = (mediaDescription ?? summary).map { Self.text($0, to: ImportLimits.textLength) }
        var shared = PhotoDetails()
        shared.credit = (credit ?? author).map { Self.plain($0) } ?? channelAuthor
        shared.license = (license ?? rights).map { Self.plain($0) } ?? channelRights
        shared.link = link.flatMap(base.link)
        shared.date = date.map(ImportedDate.text).map { Self.plain($0) }
        shared.tags = tags
        return pictures.compactMap { picture in
            guard let address = base.address(of: picture.address) else { return nil }
            var photo = ImportedPhoto(address: address, details: shared)
            photo.name = picture.title.map { Self.text($0, to: ImportLimits.nameLength) } ?? title
            photo.details.caption = picture.description.map { Self.text($0, to: ImportLimits.textLength) } ?? caption
            photo.details.alt = picture.alt
            photo.details.credit = picture.credit ?? shared.credit
            return photo
        }
    }

    /// The text of a piece of HTML, cut to the length that a list allows.
    private static func text(_ html: String, to length: Int) -> String {
        PlainText.shortened(PlainText.ofHTML(html), to: length) ?? ""
    }

    private static func plain(_ text: String) -> String {
        PlainText.shortened(text, to: ImportLimits.textLength) ?? ""
    }

    /// A picture of the entry, whatever element it comes from.
    private struct Picture {
        var address: String
        var title: String?
        var description: String?
        var credit: String?
        var alt: String?
    }

    private var pictures: [Picture] {
        if !media.isEmpty {
            return largestOfEachGroup.map {
                Picture(address: $0.address, title: $0.title, description: $0.description, credit: $0.credit)
            }
        }
        if !enclosures.isEmpty { return enclosures.map { Picture(address: $0) } }
        if let image { return [Picture(address: image)] }
        let inside = inline + inlinePictures(content) + (content == nil ? inlinePictures(summary) : [])
        if !inside.isEmpty { return inside.map { Picture(address: $0.address, alt: $0.alt) } }
        let largest = thumbnails.max { $0.width < $1.width }
        return largest.map { [Picture(address: $0.address)] } ?? []
    }

    /// The largest picture of each group, because a group contains one picture in several sizes.
    private var largestOfEachGroup: [Media] {
        var result: [Media] = []
        var places: [Int: Int] = [:]
        for picture in media {
            guard let group = picture.group, let place = places[group] else {
                if let group = picture.group { places[group] = result.count }
                result.append(picture)
                continue
            }
            if (picture.width, picture.size) > (result[place].width, result[place].size) { result[place] = picture }
        }
        return result
    }

    private func inlinePictures(_ html: String?) -> [PageReader.Picture] {
        guard let html, html.contains("<") else { return [] }
        let reader = PageReader(base: base)
        // Markup is read until it exceeds a limit, and the pictures before that point count.
        try? MarkupParser.parseHTML(Array(html.utf8), into: reader)
        return reader.pictures
    }
}
