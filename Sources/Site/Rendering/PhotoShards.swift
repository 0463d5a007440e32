internal import PhotoModel

/// The photos' records, split into files of consecutive photos, so that the viewer only loads the records near the
/// photo that it shows. The slugs of the photos decide where a file ends (content-defined chunking), so that adding or
/// removing a photo changes one file and not all files after it.
struct PhotoShards: Sendable {
    /// A file of records.
    struct Shard: Sendable {
        /// The indices of the photos whose records are in the file.
        let photos: Range<Int>
        /// The digest of the file's data.
        let key: Digest
    }

    let shards: [Shard]

    /// The limits give about 80 photos a file. For 100,000 photos the index is then twice as large as a file of
    /// records: 15 KB and 7 KB compressed.
    private static let smallest = 48
    private static let largest = 160

    /// - Parameter common: the digest of all data apart from the photos that the records depend on.
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

    /// The digest of data that is derived from some photos, and otherwise only depends on what `common` covers.
    static func key(_ kind: String, _ photos: some Collection<Digest>, _ common: Digest) -> Digest {
        var hasher = CanonicalHasher()
        hasher.add(kind)
        hasher.add(common)
        hasher.add(photos.count)
        for digest in photos { hasher.add(digest) }
        return hasher.finish()
    }

    /// Whether a file can end after the photo, which is so for one photo in 32. The slug is hashed with FNV-1a. A
    /// further multiplication makes the upper bits depend on all characters.
    private static func isBoundary(_ slug: String) -> Bool {
        let hash = slug.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let mixed = (hash ^ (hash >> 16)) &* 0x9E37_79B1
        return mixed >> 27 == 0
    }
}

/// assets/photos.<hash>.js: the records of consecutive photos, one a line. The file is a script, because a page that is
/// opened from the disk can load scripts but no other data.
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

/// photos.js: the record files in the order of the list, the photos directly in each album, and the path of the search
/// list. All files that the index names have the hash of their content in their names, so they belong to the same
/// publication.
///
/// - Parameter shards: the hash in the name of each record file, and the number of its photos.
func photoIndexScript(
    _ shards: [(hash: Substring, count: Int)], albums: [AlbumHierarchy.Node], searchPath: String
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

/// Encodes ascending numbers as runs, each with its first number and its count. The photos of an album are mostly
/// consecutive.
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
