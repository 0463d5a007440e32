internal import Foundation

/// What an earlier run wrote into status.json, as far as it tells which files are ours.
struct PublishedStatus {
    private struct Schema: Decodable {
        struct Photo: Decodable {
            let page: String
            let images: [Image]
            let original: Image?
        }
        struct Image: Decodable {
            let path: String
            let bytes: Int64
            let webp: File?
        }
        struct File: Decodable {
            let path: String
            let bytes: Int64
        }
        let schema: Int
        let generator: String
        let photos: [Photo]
    }

    /// The paths of the photos' pages.
    let photoPages: Set<String>
    /// The page of the photo that the first page of the site begins with.
    let firstPhotoPage: String?
    /// By path: how many bytes each picture had when it was published.
    let pictureBytes: [String: Int64]

    /// - Returns: nil if the folder's status.json is not one of ours.
    init?(in folder: Folder) throws(SiteError) {
        let bytes = try OpenFile(reading: SitePath.status, in: folder).readAll()
        // That it can't be decoded is an answer: then it is somebody else's.
        guard let status = try? JSONDecoder().decode(Schema.self, from: Data(bytes)),
            status.schema == 1, status.generator.hasPrefix(OwnershipRecovery.generator)
        else { return nil }
        photoPages = Set(status.photos.map(\.page))
        firstPhotoPage = status.photos.first?.page
        let pictures = status.photos.flatMap { $0.images + [$0.original].compactMap(\.self) }
        let files = pictures.map { ($0.path, $0.bytes) } + pictures.compactMap(\.webp).map { ($0.path, $0.bytes) }
        pictureBytes = Dictionary(files, uniquingKeysWith: { first, _ in first })
    }
}
