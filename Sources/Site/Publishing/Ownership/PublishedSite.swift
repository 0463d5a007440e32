internal import Foundation
package import PhotoModel

/// What a site still tells of its photos when the ledger was lost: its status.json, and the list that its search
/// reads, as far as a build can go on from them.
package struct PublishedSite: Sendable {
    /// One photo, as an earlier build left it.
    package struct Photo: Decodable, Sendable {
        package let name: String
        package let slug: String
        package let album: [String]
        package let source: String
        package let state: PhotoState
        package let reason: Message?
        package let since: Timestamp
        package let stale: Mark?
        package let images: [Picture]
        package let original: Picture?
        package let sha256: Digest?
        /// What only the list for the search tells: see `SitePhoto`.
        package internal(set) var back: Timestamp?
        package internal(set) var downloaded: Timestamp?
    }

    /// Why a photo failed.
    package struct Message: Decodable, Sendable {
        let code: ReasonCode
        let message: String

        package var reason: Reason { Reason(code: code, message: message) }
    }

    /// Since when a photo could not be refreshed, and why.
    package struct Mark: Decodable, Sendable {
        package let since: Timestamp
        let code: ReasonCode
        let message: String

        package var reason: Reason { Reason(code: code, message: message) }
    }

    package struct Picture: Decodable, Sendable {
        package let width: Int
        package let height: Int
        package let path: String
        package let bytes: Int64
        package let webp: File?

        /// In the folder of pictures; nil for a path that no build of ours writes.
        package var fileName: String? { PublishedSite.fileName(path) }
    }

    /// A picture in another format.
    package struct File: Decodable, Sendable {
        package let path: String
        package let bytes: Int64

        /// In the folder of pictures; nil for a path that no build of ours writes.
        package var fileName: String? { PublishedSite.fileName(path) }
    }

    private static func fileName(_ path: String) -> String? {
        guard let name = path.removing(prefix: "images/"), OwnershipRecovery.isPicture(name) else { return nil }
        return name
    }

    private struct Schema: Decodable {
        let schema: Int
        let generator: String
        let updated: Timestamp
        let photos: [Photo]
    }

    /// The time of its last change.
    package let updated: Timestamp
    package let photos: [Photo]

    /// - Returns: nil if there is no status.json of ours in the folder.
    /// - Throws: `SiteError.cannotMake` if `output` is no folder; `.write` if the file can't be read.
    package init?(in output: String) throws(SiteError) {
        guard let folder = try SiteRoot(path: output).folder, folder.kind(of: SitePath.status) == .file else {
            return nil
        }
        let bytes = try OpenFile(reading: SitePath.status, in: folder).readAll()
        // That it can't be decoded is an answer: then there is nothing to go on from.
        guard let status = try? JSONDecoder().decode(Schema.self, from: Data(bytes)), status.schema == 1,
            status.generator.hasPrefix(OwnershipRecovery.generator)
        else { return nil }
        updated = status.updated
        photos = try SearchIndexRecovery(in: output).added(to: status.photos)
    }

    /// Whether the pages in the output folder are those that these make, byte by byte.
    package static func shows(
        _ content: SiteContent, templates: TemplateSet, in output: String
    ) throws(SiteError) -> Bool {
        let root = try SiteRoot(path: output)
        do {
            try SiteRenderer(content: content, templates: templates).files { file in
                guard let (folder, name) = try root.existingPlace(of: file.path), folder.kind(of: name) == .file,
                    try OpenFile(reading: name, in: folder).holds(file.bytes)
                else { throw Difference() }
            }
            return true
        } catch let error as SiteError {
            throw error
        } catch {
            return false
        }
    }

    /// Ends a comparison early.
    private struct Difference: Error {}
}
