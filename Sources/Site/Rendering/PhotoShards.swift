internal import PhotoModel

/// The photos' records, cut into files of consecutive photos: the viewer loads those near the photo that it shows. The
/// name of a photo decides where a file ends, so that a photo which comes or goes changes one file and not all after
/// it.
struct PhotoShards: Sendable {
    /// A file, and the photos whose records are in it.
    struct Shard: Sendable {
        let photos: Range<Int>
        /// The digest of its data.
        let key: Digest
    }

    let shards: [Shard]

    /// About 80 photos: of 100,000 the index is then twice as heavy as a file of records, 15 KB and 7 KB compressed.
    private static let smallest = 48
    private static let largest = 160

    /// - Parameter common: The digest of what all records depend on beside their photos.
    init(slugs: [String], digests: [Digest], common: Digest) {
        var shards: [Shard] = []
        var start = 0
        for (index, slug) in slugs.enumerated() {
            let count = index + 1 - start
            let isEnd = count >= Self.smallest && Self.isBoundary(slug) || count == Self.largest
            guard isEnd || index + 1 == slugs.count else { continue }
            let photos = start..<index + 1
            shards.append(Shard(photos: photos, key: Self.key("records", digests[photos], common)))
            start = index + 1
        }
        self.shards = shards
    }

    /// The digest of data that is made of some photos, and of nothing else that changes while `common` stays.
    static func key(_ kind: String, _ photos: some Collection<Digest>, _ common: Digest) -> Digest {
        var writer = CanonicalHasher()
        writer.add(kind)
        writer.add(common)
        writer.add(photos.count)
        for digest in photos { writer.add(digest) }
        return writer.finish()
    }

    /// Whether a file may end after the photo: after one in 32, by FNV-1a, multiplied once more so that the upper bits
    /// depend on all characters.
    private static func isBoundary(_ slug: String) -> Bool {
        let hash = slug.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let mixed = (hash ^ (hash >> 16)) &* 0x9E37_79B1
        return mixed >> 27 == 0
    }
}

/// assets/photos.<hash>.js: the records of consecutive photos, one a line. It is a script, because a page that is
/// opened from the disk may load no data but scripts.
func recordsScript(_ photos: some Collection<SitePhoto>, _ language: PageLanguage) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(photos.count << 10)
    bytes += "window.galleryPhotos = [\n".utf8
    for photo in photos {
        photoData(photo, language).write(to: &bytes)
        bytes += ",\n".utf8
    }
    bytes += "];\n".utf8
    return bytes
}

/// photos.js: which file has the records of which photos, by their order in the list, which photos are directly in an
/// album, and where the list for the search is. All that it names has the hash of its content in its name, and so is of
/// the same publication.
///
/// - Parameter shards: the hash in the name of each file of records, and the number of its photos.
func photoIndexScript(
    _ shards: [(hash: Substring, count: Int)], albums: [AlbumTree.Node], searchPath: String
) -> [UInt8] {
    let index: JSON = [
        "search": .text(searchPath),
        "shards": .list(shards.map { .list([.text(String($0.hash)), .number($0.count)]) }),
        "albums": .object(
            albums.filter { !$0.photos.isEmpty }.map { (key: $0.slug, value: .list(runs($0.photos))) }),
    ]
    var bytes = Array("window.galleryIndex = ".utf8)
    index.write(to: &bytes)
    bytes += ";\n".utf8
    return bytes
}

/// Ascending numbers as first number and count of each run: an album's photos mostly follow one another.
private func runs(_ numbers: [Int]) -> [JSON] {
    var runs: [(first: Int, count: Int)] = []
    for number in numbers {
        if let last = runs.last, last.first + last.count == number {
            runs[runs.count - 1].count += 1
        } else {
            runs.append((number, 1))
        }
    }
    return runs.map { .list([.number($0.first), .number($0.count)]) }
}
