package import Downloads
package import Manifest
package import PhotoModel

/// The result of a build, for the closing summary.
package struct BuildReport: Sendable {
    /// A photo that needs attention.
    package struct Problem: Sendable {
        package let name: String
        package let album: [String]
        package let position: TextPosition
        package let reason: Reason
    }

    package let counts: [PhotoState: Int]
    /// The photos that failed, in the order of the list.
    package let failed: [Problem]
    package let stale: [Problem]
    /// The number of photos whose derivatives were rendered.
    package let rendered: Int
    package let transfers: TransferStatistics
    package let publication: PublicationResult
    /// The title of the site.
    package internal(set) var title = ""
    /// The photos that have changed, in the order of the list, and then those that have left it. They are collected
    /// only if `BuildOptions.listsChanges` says so.
    package internal(set) var changes: [PhotoChange] = []
    /// The paths of the photos that are local files, whether these exist or not.
    package let files: Set<String>
    /// Whether any photo comes from a URL.
    package let hasRemotePhotos: Bool

    /// Whether the site is exactly what it was before.
    package var changedNothing: Bool {
        publication.written.isEmpty && publication.removed.isEmpty && publication.repaired == 0
    }

    /// Whether the build did nothing except revalidate photos.
    package var didNothing: Bool { changedNothing && rendered == 0 }

    /// Makes the report of a build without work.
    init(unchanged records: [PhotoRecord]) {
        for record in records { record.markUnchanged(wasRequested: false) }
        self.init(
            records: records, rendered: 0, transfers: TransferStatistics(), publication: PublicationResult())
    }

    init(
        records: [PhotoRecord], rendered: Int, transfers: TransferStatistics, publication: PublicationResult
    ) {
        var counts: [PhotoState: Int] = [:]
        var failed: [Problem] = []
        var stale: [Problem] = []
        var files: Set<String> = []
        var hasRemotePhotos = false
        for record in records {
            switch record.source?.location {
            case .file(let path): files.insert(path)
            case .remote: hasRemotePhotos = true
            case nil: break
            }
            counts[record.state, default: 0] += 1
            let photo = record.photo
            if let reason = record.reason {
                failed.append(Problem(name: photo.name, album: photo.album, position: photo.position, reason: reason))
            } else if let reason = record.staleReason {
                stale.append(Problem(name: photo.name, album: photo.album, position: photo.position, reason: reason))
            }
        }
        self.counts = counts
        self.failed = failed
        self.stale = stale
        self.rendered = rendered
        self.transfers = transfers
        self.publication = publication
        self.files = files
        self.hasRemotePhotos = hasRemotePhotos
    }
}
