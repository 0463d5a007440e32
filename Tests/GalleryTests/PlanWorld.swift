import Downloads
import Gallery
import Imaging
import Ledger
import Manifest
import PhotoModel
import Site
import TestSupport
import Testing

/// The input of a plan as plain values, as a build has left it. Each test changes it in one place.
struct PlanWorld {
    /// An original in the store, and the photo that it belongs to.
    struct Photo {
        let name: String
        var location: Source.Location
        var metadata: ImageMetadata
        var filter: FilterChain?
    }

    var photos: [Photo]
    var widths = [320, 800]
    var quality = 82
    var formats = PublishedFormats.jpeg
    var filter = FilterChain.standard
    var publishesUnfiltered = true
    var maxPixels = 200_000_000
    var settings = SiteSettings(title: "Lakes", generator: "gallerygen 1", filter: "sepia(0.8)")
    var overrides: [String: [UInt8]] = [:]
    var manifest = "the list"
    var maxAge = MaxAge.auto
    var now: Int64 = 1_800_000_000
    /// The time of the build, if it is pinned; nil for the system's time.
    var pinned: Int64?
    var isForced = false
    var expectedChange = ExpectedChange.never
    var versions = VersionOptions()

    /// A large and a small JPEG from a server, and a transparent PNG from this machine.
    static let lakes = PlanWorld(photos: [
        Photo(
            name: "Lighthouse", location: .remote("https://example.org/lighthouse.jpg"),
            metadata: ImageMetadata(format: .jpeg, width: 2_000, height: 1_000, hasTransparency: false)),
        Photo(
            name: "Stamp", location: .remote("https://example.org/stamp.jpg"),
            metadata: ImageMetadata(format: .jpeg, width: 300, height: 200, hasTransparency: false)),
        Photo(
            name: "Leaf", location: .file("/photos/leaf.png"),
            metadata: ImageMetadata(format: .png, width: 1_000, height: 500, hasTransparency: true)),
    ])

    static let stamp = FileStamp(size: 5, modifiedNanoseconds: 6, changedNanoseconds: 7, inode: 8)

    static func original(_ name: String) -> Digest { Digest(of: name) }

    /// The records of a build; `remembered` returns the ledger's row of a photo.
    func records(_ remembered: (String) -> PhotoRow?) -> [PhotoRecord] {
        photos.map { photo in
            PhotoRecord(
                photo: ManifestPhoto(
                    album: [], name: photo.name, source: .success(Source(location: photo.location, shown: "")),
                    shownSource: "", addressKey: "", details: PhotoDetails(),
                    position: TextPosition(file: "photos.plist", line: 1, column: 1)),
                key: Digest(of: photo.name), slug: photo.name.lowercased(), options: options(of: photo),
                remembered: remembered(photo.name), expectedChange: expectedChange, versions: versions)
        }
    }

    private func options(of photo: Photo) -> DerivativeOptions {
        DerivativeOptions(
            widths: widths, quality: quality, formats: formats, filter: photo.filter ?? filter,
            publishesUnfiltered: publishesUnfiltered, maxPixels: maxPixels)
    }

    func inputs() throws -> SiteInputs {
        try SiteInputs(
            settings: settings, templates: try TemplateSet(overrides: overrides),
            manifests: [
                ManifestBytes(origin: .file(path: "/photos.plist", shown: "photos.plist"), bytes: Array(manifest.utf8))
            ])
    }

    /// The state after a build of this world.
    func built() throws -> PlanMemory {
        var memory = PlanMemory()
        let records = records { _ in nil }
        for (photo, record) in zip(photos, records) {
            let original = Self.original(photo.name)
            let key = try #require(record.sourceKey)
            var source = SourceRow(key: key, sha256: original, bytes: 5)
            switch photo.location {
            case .remote:
                source.validated = now - 10
                source.freshUntil = now + 3_600
            case .file(let path):
                source.fileStamp = Self.stamp
                memory.diskState.stamps[.file(path)] = Self.stamp
            }
            memory.snapshot.sources[key] = source
            memory.snapshot.originals[original] =
                OriginalRow(
                    sha256: original, edition: ImageMetadata.edition, format: photo.metadata.format.rawValue,
                    width: photo.metadata.width, height: photo.metadata.height,
                    hasTransparency: photo.metadata.hasTransparency)
            let specs = DerivativeSpec.all(original: original, picture: photo.metadata, options: record.options)
            let pictures = specs.map {
                PublishedPicture(
                    fileName: $0.fileName, width: $0.width, height: $0.height, bytes: 9,
                    isUnfiltered: $0.kind == .unfiltered)
            }
            memory.snapshot.photos[record.key] = PhotoRow(
                key: record.key, source: key, slug: record.slug, state: .filtered, since: now - 10, sha256: original,
                pictures: pictures, recipe: record.recipeText, checked: now - 10)
            memory.diskState.originals.insert(original)
        }
        memory.snapshot.revision = 3
        memory.site = SiteRow(
            output: "/site", content: Digest(of: "c"), templates: Digest(of: "t"), updated: now - 10,
            inputs: try inputs().text, revision: 3, owned: [:])
        return memory
    }

    /// The plan of a build of this world, given what earlier builds have recorded.
    func plan(after memory: PlanMemory) throws -> PlanReport {
        let records = records { memory.snapshot.photos[Digest(of: $0)] }
        return PlanReport(
            records: records,
            plan: Plan(
                records: records, inputs: try inputs(), snapshot: memory.snapshot, site: memory.site,
                diskState: memory.diskState, maxAge: maxAge, realNow: now, now: pinned ?? now,
                isForced: isForced))
    }
}

/// The ledger of earlier builds, and the contents of the disk.
struct PlanMemory {
    var snapshot = LedgerSnapshot()
    var site: SiteRow?
    var diskState = DiskState()
}

extension PlanReport {
    /// The plan in the words of the console: "Lighthouse: quality 82 → 90".
    var sentences: [String] { lines.map { line in line.photo.map { "\($0): \(line.reason)" } ?? line.reason } }
}
