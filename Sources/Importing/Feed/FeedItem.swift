internal import Manifest
internal import PhotoModel

/// An entry of a feed.
struct FeedItem {
    struct Media {
        var address: String
        /// Pixels, and bytes; 0 where it is not said.
        var width = 0.0
        var size = 0.0
        /// The number of its group; nil outside one.
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

    /// The photos of the entry: of the kinds of pictures that it may have, those of the first that it has.
    func photos(rights channelRights: String?, author channelAuthor: String?) -> [ImportedPhoto] {
        pictures.compactMap { picture in
            guard let address = base.address(of: picture.address) else { return nil }
            var photo = ImportedPhoto(name: picture.title ?? title, address: address)
            photo.details.caption = (picture.description ?? mediaDescription ?? summary).map(PlainText.ofHTML)
            photo.details.alt = picture.alt
            photo.details.credit = picture.credit ?? credit ?? author ?? channelAuthor
            photo.details.license = license ?? rights ?? channelRights
            photo.details.link = link.flatMap(base.link)
            photo.details.date = date.map(ImportedDate.text)
            photo.details.tags = tags
            photo.name = photo.name.map(PlainText.ofHTML)
            return photo
        }
    }

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

    /// The largest picture of each group, since a group has one picture in several sizes.
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
        // Markup that breaks a limit ends early, and the pictures before that count.
        try? MarkupParser.parseHTML(Array(html.utf8), into: reader)
        return reader.pictures
    }
}
