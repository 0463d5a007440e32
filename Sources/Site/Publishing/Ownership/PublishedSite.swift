internal import Foundation
package import PhotoModel

/// The facts about photos that a published site still has after the ledger was lost: its status.json, and the times
/// that only the site's photo records have. They suffice for the next build to continue.
package struct PublishedSite: Sendable {
    /// A photo, as an earlier build published it.
    package struct Photo: Decodable, Sendable {
        package let name: String
        package let slug: String
        package let album: [String]
        package let source: String
        package let state: PhotoState
        package let reason: Message?
        package let since: Timestamp
        package let stale: Stale?
        /// The marks; nil in a site of a version without marks.
        let marks: [Mark]?
        package let images: [Picture]
        package let original: Picture?
        /// The earlier originals; nil if there are none, or in a site of a version without them.
        package let versions: [Version]?
        package let sha256: Digest?
        /// When the photo worked again, and when it was downloaded. Only the photo records have these times: see
        /// `SitePhoto`.
        package internal(set) var recovered: Timestamp?
        package internal(set) var downloaded: Timestamp?

        package var knownMarks: [PhotoMark] { (marks ?? []).compactMap(\.mark) }
    }

    /// Why a photo failed.
    package struct Message: Decodable, Sendable {
        let code: ReasonCode
        let message: String

        package var reason: Reason { Reason(code: code, message: message) }
    }

    /// Since when a photo could not be refreshed, and why.
    package struct Stale: Decodable, Sendable {
        package let since: Timestamp
        let code: ReasonCode
        let message: String

        package var reason: Reason { Reason(code: code, message: message) }
    }

    /// A mark. Its code is a text, because a newer version can have written one that this version does not know.
    struct Mark: Decodable, Sendable {
        let code: String
        let since: Timestamp
        let message: String

        /// - Returns: nil for an unknown code.
        var mark: PhotoMark? {
            MarkCode(rawValue: code).map { PhotoMark($0, since: since, message: message) }
        }
    }

    /// An earlier original.
    package struct Version: Decodable, Sendable {
        package let sha256: Digest
        package let downloaded: Timestamp?
        package let image: Picture?
    }

    /// A published size of a picture.
    package struct Picture: Decodable, Sendable {
        package let width: Int
        package let height: Int
        package let path: String
        package let bytes: Int64
        package let webp: File?

        /// The picture's name in images/; nil for a path that no build writes.
        package var fileName: String? { PublishedSite.fileName(path) }
    }

    /// The same picture in another format.
    package struct File: Decodable, Sendable {
        package let path: String
        package let bytes: Int64

        /// The file's name in images/; nil for a path that no build writes.
        package var fileName: String? { PublishedSite.fileName(path) }
    }

    private static func fileName(_ path: String) -> String? {
        guard let name = path.removing(prefix: "images/"), SitePath.isPicture(name) else { return nil }
        return name
    }

    /// The parts of status.json that a build continues from.
    private struct Schema: Decodable {
        let schema: Int
        let generator: String
        let updated: Timestamp
        let photos: [Photo]
    }

    /// The time of the site's last change.
    package let updated: Timestamp
    package private(set) var photos: [Photo]

    /// - Returns: nil if the folder has no status.json of gallerygen.
    /// - Throws: `SiteError.cannotCreate` if `output` is not a folder; `.write` if a file can't be read.
    package init?(in output: String) throws(SiteError) {
        let root = try SiteRoot(path: output, isOnlyRead: true)
        try self.init(statusOf: root)
        addTimes(of: try Self.records(in: root))
    }

    /// The content of the record files that the index names, or of the single list that sites of earlier versions have.
    private static func records(in root: SiteRoot) throws(SiteError) -> [[UInt8]] {
        struct Index: Decodable { let shards: [Shard] }
        struct Shard: Decodable {
            let name: String

            init(from decoder: any Decoder) throws {
                var members = try decoder.unkeyedContainer()
                name = try members.decode(String.self)
            }
        }
        func content(_ path: String) throws(SiteError) -> [UInt8]? {
            guard let (folder, name) = try root.locateExisting(path), folder.kind(of: name) == .file else { return nil }
            return try OpenFile(reading: name, in: folder).readAll()
        }
        guard let script = try content(SitePath.photoIndex) else {
            return [try content(SitePath.formerSearchList) ?? []]
        }
        let json = script.drop { $0 != UInt8(ascii: "{") }.dropLast(";\n".utf8.count)
        // If the index can't be decoded, somebody has changed it, and the times of its photos stay unknown.
        let shards = (try? JSONDecoder().decode(Index.self, from: Data(json)))?.shards ?? []
        var records: [[UInt8]] = []
        for shard in shards where SitePath.isHash(shard.name[...]) {
            if let file = try content(SitePath.shard(shard.name)) { records.append(file) }
        }
        return records
    }

    /// Reads the facts that status.json has, without the times from the photo records.
    init?(statusOf root: SiteRoot) throws(SiteError) {
        guard let folder = root.folder, folder.kind(of: SitePath.status) == .file else { return nil }
        let bytes = try OpenFile(reading: SitePath.status, in: folder).readAll()
        // If status.json can't be decoded, the site can't be continued, and nil says so.
        guard let status = try? JSONDecoder().decode(Schema.self, from: Data(bytes)), status.schema == 1,
            status.generator.hasPrefix("gallerygen ")
        else { return nil }
        updated = status.updated
        photos = status.photos
    }

    /// - Parameter files: the content of record files, which have a photo's record in each line. Lines that somebody
    ///   has changed are ignored.
    private mutating func addTimes(of files: [[UInt8]]) {
        struct Line: Decodable {
            let page: String
            let downloadedAt: Timestamp?
            let recoveredAt: Timestamp?
        }
        let decoder = JSONDecoder()
        var lines: [String: Line] = [:]
        let texts = files.lazy.flatMap { $0.split(separator: UInt8(ascii: "\n")) }
        for text in texts where text.last == UInt8(ascii: ",") {
            // A line that somebody has changed can't be decoded. The times of its photo stay unknown.
            guard let line = try? decoder.decode(Line.self, from: Data(text.dropLast())) else { continue }
            lines[line.page] = line
        }
        for index in photos.indices {
            let line = lines[SitePath.encoded(SitePath.photo(photos[index].slug))]
            photos[index].recovered = line?.recoveredAt
            photos[index].downloaded = line?.downloadedAt
        }
    }

    /// The size that each picture had when it was published, in bytes, by path.
    var pictureBytes: [String: Int64] {
        let pictures = photos.flatMap { photo in
            photo.images + ([photo.original] + (photo.versions ?? []).map(\.image)).compactMap(\.self)
        }
        let files = pictures.map { ($0.path, $0.bytes) } + pictures.compactMap(\.webp).map { ($0.path, $0.bytes) }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the files in the output folder are those that the content and the templates give, byte by byte.
    package static func matches(
        _ content: SiteContent, templates: TemplateSet, in output: String
    ) throws(SiteError) -> Bool {
        let root = try SiteRoot(path: output, isOnlyRead: true)
        do {
            try SiteRenderer(content: content, templates: templates).files { file in
                guard let (folder, name) = try root.locateExisting(file.path), folder.kind(of: name) == .file,
                    try OpenFile(reading: name, in: folder).hasContent(file.bytes)
                else { throw Difference() }
            }
            return true
        } catch let error as SiteError {
            throw error
        } catch {
            return false
        }
    }

    /// An error that ends the comparison at the first difference.
    private struct Difference: Error {}
}
