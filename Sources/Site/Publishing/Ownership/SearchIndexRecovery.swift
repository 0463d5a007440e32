internal import Foundation
internal import PhotoModel

/// The times of photos that a site tells only in the list that its search reads, and not in status.json.
struct SearchIndexRecovery {
    private struct Record: Decodable {
        let page: String
        let fetched: Timestamp?
        let back: Timestamp?
    }

    /// By the address of the photo's page.
    private var records: [String: Record] = [:]

    /// - Throws: `SiteError` if the list is there and can't be read. One that is changed tells nothing.
    init(in output: String) throws(SiteError) {
        let root = try SiteRoot(path: output)
        var found: (folder: Folder, name: String)?
        for path in [SitePath.earlierSearch, SitePath.search] {
            guard let place = try root.existingPlace(of: path) else { continue }
            if place.folder.kind(of: place.name) == .file { found = place }
        }
        guard let (folder, name) = found else { return }
        let list = try OpenFile(reading: name, in: folder).readAll()
        let decoder = JSONDecoder()
        for line in list.split(separator: UInt8(ascii: "\n")) where line.last == UInt8(ascii: ",") {
            // A line that somebody changed tells nothing; the others still do.
            guard let record = try? decoder.decode(Record.self, from: Data(line.dropLast())) else { continue }
            records[record.page] = record
        }
    }

    func added(to photos: [PublishedSite.Photo]) -> [PublishedSite.Photo] {
        photos.map { photo in
            var photo = photo
            let record = records[SitePath.encoded(SitePath.photo(photo.slug))]
            photo.back = record?.back
            photo.downloaded = record?.fetched
            return photo
        }
    }
}
