internal import Foundation
package import PhotoModel

/// How long files of earlier publications stay in a site, for pages that caches still hold.
package struct Retention: Sendable {
    let seconds: Int64
    /// The time of this publication.
    let now: Timestamp
    /// Name and version of the program.
    let generator: String

    /// - Parameter seconds: 0: not at all.
    package init(seconds: Int64, now: Timestamp, generator: String) {
        self.seconds = seconds
        self.now = now
        self.generator = generator
    }

    func isOver(_ since: Timestamp) -> Bool { seconds <= 0 || now.seconds - since.seconds >= seconds }
}

/// kept.json: the files of earlier publications that stay in a site, and since when nothing refers to each.
///
/// The site holds the list, as pictures that no page names can't be known as ours by anything else once the state
/// folder is lost. There is no such file where nothing is kept.
package struct KeptFiles {
    package struct Entry: Hashable, Sendable {
        package let bytes: Int64
        package let since: Timestamp
    }

    package static let path = SitePath.kept

    /// By path in the site.
    package let entries: [String: Entry]

    private struct Schema: Decodable {
        let generator: String
        let kept: [Batch]
    }

    /// The files to which nothing refers since the same moment: path → size in bytes.
    private struct Batch: Decodable {
        let since: Timestamp
        let files: [String: Int64]
    }

    init(entries: [String: Entry]) { self.entries = entries }

    /// What the list in an output folder says; nothing where there is none that can be read.
    /// - Throws: `SiteError.cannotMake` if `output` is no folder; `.write` if the file can't be read.
    package init(in output: String) throws(SiteError) { try self.init(in: SiteRoot(path: output)) }

    init(in root: SiteRoot) throws(SiteError) {
        var entries: [String: Entry] = [:]
        if let folder = root.folder, folder.kind(of: SitePath.kept) == .file {
            let bytes = try OpenFile(reading: SitePath.kept, in: folder).readAll()
            // A list that can't be decoded is none: its files are then kept from now on.
            let list = try? JSONDecoder().decode(Schema.self, from: Data(bytes))
            if let list, list.generator.hasPrefix("gallerygen ") {
                for batch in list.kept {
                    for (path, bytes) in batch.files where SitePath.isNamedByContent(path) {
                        entries[path] = Entry(bytes: bytes, since: batch.since)
                    }
                }
            }
        }
        self.entries = entries
    }

    /// The number of files that have been kept long enough.
    package func expired(_ retention: Retention) -> Int { entries.values.count { retention.isOver($0.since) } }

    /// - Parameter generator: name and version of the program.
    func file(_ generator: String) -> SiteFile {
        // Sorted, so that the same list is the same bytes.
        let batches = Dictionary(grouping: entries) { $0.value.since }.sorted { $0.key < $1.key }
        let kept = batches.map { since, entries -> JSON in
            let files = entries.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSON.number($0.value.bytes)) }
            return ["since": .text(since.description), "files": .object(files)]
        }
        let list: JSON = ["generator": .text(generator), "kept": .list(kept)]
        var bytes: [UInt8] = []
        list.write(to: &bytes)
        return SiteFile(path: SitePath.kept, bytes: bytes + "\n".utf8)
    }
}
