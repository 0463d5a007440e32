package import PhotoModel

/// The values of a photo that `gallerygen status --json` prints in addition to those of status.json.
package struct StatusExtras: Hashable, Sendable {
    /// The number of consecutive failures.
    package let attempts: Int
    /// The time of the last request to the photo's address.
    package let checked: Timestamp?
    package let etag: String?
    /// The address to which permanent redirects lead, in the form that may be shown; nil if the photo has not moved.
    package let moved: String?

    package init(attempts: Int, checked: Timestamp?, etag: String?, moved: String? = nil) {
        self.attempts = attempts
        self.checked = checked
        self.etag = etag
        self.moved = moved
    }
}

/// Writes status.json, schema 1. Its keys are in the order of the schema and each photo has a line, so that two builds
/// can be compared line by line. The same content gives the same bytes.
///
/// - Parameter lines: the lines of all photos of the content.
func statusJSON<Failure: Error>(
    _ content: SiteContent, counts: SiteSummary, lines: StatusLines, _ emit: ([UInt8]) throws(Failure) -> Void
) throws(Failure) {
    let head: JSON = [
        "schema": .number(1),
        "generator": .text(content.settings.generator),
        "title": .text(content.settings.title),
        "updated": .text(content.updated.description),
        "counts": [
            "new": .number(counts.new), "downloaded": .number(counts.downloaded), "filtered": .number(counts.filtered),
            "failed": .number(counts.failed), "stale": .number(counts.stale),
        ],
        "photos": .list([]),
    ]
    var pieces = ChunkedWriter()
    let end = "]}".utf8
    try pieces.add(to: emit) { output in
        head.write(to: &output)
        output.removeLast(end.count)
    }
    for part in lines.parts { try pieces.add(to: emit) { $0 += part } }
    try pieces.add(to: emit) { output in
        output += "\n".utf8
        output += end
        output += "\n".utf8
    }
    try pieces.finish(emit)
}

/// status.json as a whole, in memory.
/// - Parameter extras: additional values by slug. If they are given, each photo also has `attempts`, `checked`, `etag`
///   and `moved`.
package func statusJSON(_ content: SiteContent, extras: [String: StatusExtras]? = nil) -> [UInt8] {
    var output: [UInt8] = []
    let lines = StatusLines(content.photos, extras: extras)
    statusJSON(content, counts: SiteSummary(content), lines: lines) { (piece: [UInt8]) in output += piece }
    return output
}

/// The lines of consecutive photos in status.json.
struct StatusLines: Sendable {
    /// The parts make up what the file has between the brackets of its list, without the last line break. They are not
    /// joined, because a gallery of 100,000 photos has some 50 MB of lines.
    private(set) var parts: [[UInt8]] = [[]]

    init() {}

    /// The lines of all photos.
    init(_ photos: SitePhotos, extras: [String: StatusExtras]? = nil) {
        let lines = { @Sendable (indices: Range<Int>) in
            var lines = StatusLines()
            for index in indices { lines.add(photos[index], at: index, extras: extras) }
            return [lines]
        }
        Parallel.forEach(parts: photos.indices, lines) { append($0) }
    }

    /// Adds the line of the photo at an index.
    mutating func add(_ photo: SitePhoto, at index: Int, extras: [String: StatusExtras]? = nil) {
        let last = parts.endIndex - 1
        parts[last] += (index == 0 ? "\n" : ",\n").utf8
        status(of: photo, extras: extras).write(to: &parts[last])
    }

    /// Adds the lines of the photos that follow.
    mutating func append(_ other: StatusLines) {
        // The copies have no unused capacity, which would take up more memory than the lines.
        for part in other.parts { parts.append(part.withUnsafeBufferPointer { Array($0) }) }
    }
}

private func status(of photo: SitePhoto, extras: [String: StatusExtras]?) -> JSON {
    var members: [(key: String, value: JSON)] = [
        ("name", .text(photo.name)),
        ("slug", .text(photo.slug)),
        ("album", .list(photo.album.map { .text($0) })),
        ("source", .text(photo.source)),
        ("state", .text(photo.state.rawValue)),
        ("reason", photo.reason.map { ["code": .text($0.code.rawValue), "message": .text($0.message)] } ?? .null),
        ("since", .text(photo.since.description)),
        ("stale", photo.stale.map(status(of:)) ?? .null),
        ("marks", .list(photo.marks.map(status(of:)))),
        ("width", .number(photo.width)),
        ("height", .number(photo.height)),
        ("images", .list(photo.images.map(status(of:)))),
        ("original", photo.original.map(status(of:)) ?? .null),
        ("page", .text(SitePath.photo(photo.slug))),
        ("sha256", .text(photo.sha256?.hex)),
    ]
    if !photo.versions.isEmpty { members.append(("versions", .list(photo.versions.map(status(of:))))) }
    if let extras {
        let extra = extras[photo.slug]
        members += [
            ("attempts", .number(extra?.attempts ?? 0)),
            ("checked", .text(extra?.checked?.description)),
            ("etag", .text(extra?.etag)),
            ("moved", .text(extra?.moved)),
        ]
    }
    return .object(members)
}

private func status(of image: SiteImage) -> JSON {
    var members: [(key: String, value: JSON)] = [
        ("width", .number(image.width)), ("height", .number(image.height)), ("path", .text(image.path)),
        ("bytes", .number(image.bytes)),
    ]
    if let webp = image.webp {
        members.append(("webp", ["path": .text(webp.path), "bytes": .number(webp.bytes)]))
    }
    return .object(members)
}

private func status(of version: SiteVersion) -> JSON {
    [
        "sha256": .text(version.sha256.hex), "downloaded": .text(version.downloaded?.description),
        "image": version.image.map(status(of:)) ?? .null,
    ]
}

private func status(of mark: PhotoMark) -> JSON {
    ["code": .text(mark.code.rawValue), "since": .text(mark.since.description), "message": .text(mark.message)]
}

private func status(of stale: Stale) -> JSON {
    [
        "since": .text(stale.since.description), "code": .text(stale.reason.code.rawValue),
        "message": .text(stale.reason.message),
    ]
}
