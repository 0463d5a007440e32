internal import Foundation
internal import PhotoModel
internal import Site

/// The list of the files at a target that are ours. The target has it beside the site, and the state folder has a copy
/// of the one that was written last.
///
/// The first line has the number of files. Each further one has a path, the size in bytes, the SHA-256 of the content
/// and the time since when nothing refers to the file, separated by tabs. "-" stands for what a file does not have: a
/// digest, because its name tells what is in it, or such a time. "?" instead of the digest says that the file is on its
/// way: it may be there or not.
package struct PublishedList: Equatable, Sendable {
    package struct Entry: Hashable, Sendable {
        var bytes: Int64
        /// nil for a file whose name tells what is in it.
        var digest: Digest?
        /// Whether a publication was about to put the file there, and may not have come to that.
        var isPending = false
        /// Since when nothing refers to the file; nil for a part of the site.
        var since: Timestamp?
    }

    /// The name of the file at the target.
    package static let fileName = ".gallerygen-published"

    private static let header = "gallerygen published files, version 1: "

    /// By path.
    package var entries: [String: Entry] = [:]

    package init() {}

    /// - Returns: nil for a text that no version of gallerygen wrote, or a later one than this. No path leads out of
    ///   the site's own folders.
    package init?(_ bytes: [UInt8]) {
        // Not `components(separatedBy:)`, which takes a multiple of the time for a large site.
        var lines = bytes.split(separator: UInt8(ascii: "\n")).makeIterator()
        guard let first = lines.next().map({ String(decoding: $0, as: UTF8.self) }), first.hasPrefix(Self.header),
            let count = Int(first.dropFirst(Self.header.count))
        else { return nil }
        while let line = lines.next() {
            guard let (path, entry) = Self.entry(line), isPathOfSiteFile(path),
                entries.updateValue(entry, forKey: path) == nil
            else { return nil }
        }
        // A list that was cut short would give files of ours away.
        guard entries.count == count, bytes.last == UInt8(ascii: "\n") else { return nil }
    }

    private static func entry(_ line: ArraySlice<UInt8>) -> (String, Entry)? {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 4, let bytes = Int64(fields[1]), bytes >= 0 else { return nil }
        var entry = Entry(bytes: bytes)
        switch fields[2] {
        case "-": break
        case "?": entry.isPending = true
        default:
            guard let digest = Digest(hex: fields[2]) else { return nil }
            entry.digest = digest
        }
        if fields[3] != "-" {
            guard let since = Timestamp(fields[3]) else { return nil }
            entry.since = since
        }
        return (fields[0], entry)
    }

    /// The text of the list: the same for the same entries.
    package var bytes: [UInt8] {
        var text = Array("\(Self.header)\(entries.count)\n".utf8)
        for (path, entry) in entries.sorted(by: { $0.key < $1.key }) {
            text += path.utf8
            text += "\t\(entry.bytes)\t".utf8
            if entry.isPending {
                text.append(UInt8(ascii: "?"))
            } else if let digest = entry.digest {
                digest.append(to: &text)
            } else {
                text.append(UInt8(ascii: "-"))
            }
            text += "\t\(entry.since?.description ?? "-")\n".utf8
        }
        return text
    }
}
