internal import Foundation
package import PhotoModel

/// How long files of earlier publications stay in a site, for pages that are still in caches.
package struct Retention: Sendable {
    let seconds: Int64
    /// The time of this publication.
    let now: Timestamp
    /// The name and version of the program.
    let generator: String

    /// - Parameter seconds: the time that files stay, in seconds; 0 if they don't stay at all.
    package init(seconds: Int64, now: Timestamp, generator: String) {
        self.seconds = seconds
        self.now = now
        self.generator = generator
    }

    func isOver(_ since: Timestamp) -> Bool { seconds <= 0 || now.seconds - since.seconds >= seconds }
}

/// kept.json: the files of earlier publications that stay in a site, and since when each of them has been unreferenced.
///
/// The list is part of the site, because nothing else proves ownership of unreferenced pictures after the state folder
/// is lost. If no file is retained, kept.json does not exist.
package struct RetainedFiles {
    /// A retained file: its size in bytes, and the time since which it has been unreferenced.
    package struct Entry: Hashable, Sendable {
        package let bytes: Int64
        package let since: Timestamp
    }

    package static let path = SitePath.retained

    /// The retained files, by path relative to the site.
    package let entries: [String: Entry]

    /// The structure of kept.json.
    private struct Schema: Decodable {
        let generator: String
        let kept: [Batch]
    }

    /// The files that became unreferenced at the same moment: path → size in bytes.
    private struct Batch: Decodable {
        let since: Timestamp
        let files: [String: Int64]
    }

    init(entries: [String: Entry]) { self.entries = entries }

    /// Reads the list of an output folder. The entries are empty if there is no valid list.
    /// - Throws: `SiteError.cannotCreate` if `output` is not a folder; `.write` if the file can't be read.
    package init(in output: String) throws(SiteError) { try self.init(in: SiteRoot(path: output, isOnlyRead: true)) }

    init(in root: SiteRoot) throws(SiteError) {
        var entries: [String: Entry] = [:]
        if let folder = root.folder, folder.kind(of: SitePath.retained) == .file {
            let bytes = try OpenFile(reading: SitePath.retained, in: folder).readAll()
            // An invalid list counts as empty: the time for its files starts again with this publication.
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

    /// The number of files whose time is over.
    package func expired(_ retention: Retention) -> Int { entries.values.count { retention.isOver($0.since) } }

    /// - Parameter generator: the name and version of the program.
    func file(_ generator: String) -> SiteFile {
        // The entries are sorted, so that equal lists have equal bytes.
        let batches = Dictionary(grouping: entries) { $0.value.since }.sorted { $0.key < $1.key }
        let kept = batches.map { since, entries -> JSON in
            let files = entries.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSON.number($0.value.bytes)) }
            return ["since": .text(since.description), "files": .object(files)]
        }
        let list: JSON = ["generator": .text(generator), "kept": .list(kept)]
        var bytes: [UInt8] = []
        list.write(to: &bytes)
        return SiteFile(path: SitePath.retained, bytes: bytes + "\n".utf8)
    }
}
