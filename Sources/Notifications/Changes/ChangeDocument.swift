package import PhotoModel
internal import Site

/// The document about a publication that the command of `--on-change` gets on standard input.
/// docs/changes.schema.json describes it.
package struct ChangeDocument: Sendable {
    /// The name and version of the program.
    private let generator: String
    /// The title of the site.
    private let title: String
    private let time: Timestamp
    /// The absolute path of the output folder.
    private let output: String
    /// The target of the publication as it may be shown; nil if the site is only in the output folder.
    private let target: String?
    private let photos: [PhotoChange]
    private let files: ChangesByPhase

    package init(
        generator: String, title: String, time: Timestamp, output: String, target: String?, photos: [PhotoChange],
        files: ChangesByPhase
    ) {
        self.generator = generator
        self.title = title
        self.time = time
        self.output = output
        self.target = target
        self.photos = photos
        self.files = files
    }

    /// The document as UTF-8, a line.
    package var json: [UInt8] {
        let document: JSON = [
            "schema": .number(1),
            "generator": .text(generator),
            "title": .text(title),
            "time": .text(time.description),
            "output": .text(output),
            "target": .text(target),
            "photos": .list(photos.map(Self.photo)),
            "files": files.json,
        ]
        return document.bytes + [UInt8(ascii: "\n")]
    }

    private static func photo(_ change: PhotoChange) -> JSON {
        [
            "name": .text(change.name),
            "album": .list(change.album.map { .text($0) }),
            "slug": .text(change.slug),
            "page": .text(SitePath.photo(change.slug)),
            "old": change.old.map(condition) ?? .null,
            "new": change.new.map(condition) ?? .null,
        ]
    }

    private static func condition(_ condition: PhotoChange.Condition) -> JSON {
        [
            "state": .text(condition.state.rawValue),
            "reason": reason(condition.reason),
            "stale": reason(condition.staleReason),
            "sha256": .text(condition.original?.hex),
            "marks": .list(condition.marks.map(mark)),
        ]
    }

    private static func mark(_ mark: PhotoMark) -> JSON {
        [
            "code": .text(mark.code.rawValue), "since": .text(mark.since.description),
            "message": .text(mark.message),
        ]
    }

    private static func reason(_ reason: Reason?) -> JSON {
        reason.map { ["code": .text($0.code.rawValue), "message": .text($0.message)] } ?? .null
    }
}
