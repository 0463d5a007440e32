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
        // The last part is taken out, because a change would copy it if there were another reference to it.
        var last = parts.removeLast()
        last += (index == 0 ? "\n" : ",\n").utf8
        var json = JSONWriter(after: consume last)
        write(photo, extras: extras, to: &json)
        parts.append(json.bytes)
    }

    /// Adds the lines of the photos that follow.
    mutating func append(_ other: StatusLines) {
        // The copies have no unused capacity, which would take up more memory than the lines.
        for part in other.parts { parts.append(part.withUnsafeBufferPointer { Array($0) }) }
    }
}

private func write(_ photo: SitePhoto, extras: [String: StatusExtras]?, to json: inout JSONWriter) {
    json.object { json in
        json.member("name", photo.name)
        json.member("slug", photo.slug)
        json.member("album") { $0.list(photo.album) { $0.text($1) } }
        json.member("source", photo.source)
        json.member("state", photo.state.rawValue)
        json.member("reason", photo.reason) { json, reason in
            json.object {
                $0.member("code", reason.code.rawValue)
                $0.member("message", reason.message)
            }
        }
        json.member("since", photo.since.description)
        json.member("stale", photo.stale) { write($1, to: &$0) }
        json.member("marks") { $0.list(photo.marks) { write($1, to: &$0) } }
        json.member("width", photo.width)
        json.member("height", photo.height)
        json.member("images") { $0.list(photo.images) { write($1, to: &$0) } }
        json.member("original", photo.original) { write($1, to: &$0) }
        json.member("page", SitePath.photo(photo.slug))
        json.member("sha256", photo.sha256) { $0.text($1) }
        if !photo.versions.isEmpty { json.member("versions") { $0.list(photo.versions) { write($1, to: &$0) } } }
        if let extras {
            let extra = extras[photo.slug]
            json.member("attempts", extra?.attempts ?? 0)
            json.member("checked", extra?.checked?.description)
            json.member("etag", extra?.etag)
            json.member("moved", extra?.moved)
        }
    }
}

private func write(_ image: SiteImage, to json: inout JSONWriter) {
    json.object { json in
        json.member("width", image.width)
        json.member("height", image.height)
        json.member("path", image.path)
        json.member("bytes", image.bytes)
        if let webp = image.webp {
            json.member("webp") { json in
                json.object {
                    $0.member("path", webp.path)
                    $0.member("bytes", webp.bytes)
                }
            }
        }
    }
}

private func write(_ version: SiteVersion, to json: inout JSONWriter) {
    json.object { json in
        json.member("sha256") { $0.text(version.sha256) }
        json.member("downloaded", version.downloaded?.description)
        json.member("image", version.image) { write($1, to: &$0) }
    }
}

private func write(_ mark: PhotoMark, to json: inout JSONWriter) {
    json.object { json in
        json.member("code", mark.code.rawValue)
        json.member("since", mark.since.description)
        json.member("message", mark.message)
    }
}

private func write(_ stale: Stale, to json: inout JSONWriter) {
    json.object { json in
        json.member("since", stale.since.description)
        json.member("code", stale.reason.code.rawValue)
        json.member("message", stale.reason.message)
    }
}
