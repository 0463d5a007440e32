internal import Foundation
internal import PhotoModel
internal import Site

/// The list of our files at a target. The list is a file of the target, and the state folder has a copy of the last one
/// that was written.
///
/// The first line has the number of files. Each further line has a path, the size in bytes, the SHA-256 of the content
/// and the time since when nothing refers to the file, separated by tabs. The third field is "-" if the name of the
/// file has a hash of the content, and "?" if the file is pending: a publication was about to send or remove it, and
/// might not have done so. The fourth field is "-" for files of the current site.
package struct PublishedList: Equatable, Sendable {
    package struct Entry: Hashable, Sendable {
        var bytes: Int64
        /// The SHA-256 of the content; nil for a file whose name has a hash of the content.
        var digest: Digest?
        /// Whether a publication was about to send or remove the file, and might not have done so.
        var isPending = false
        /// The time since when nothing refers to the file; nil for a file of the current site.
        var since: Timestamp?
    }

    /// The name of the file at the target.
    package static let fileName = ".gallerygen-published"

    private static let header = "gallerygen published files, version 1: "

    /// The entries by path.
    package var entries: [String: Entry] = [:]

    package init() {}

    /// The same files, of which it is not known whether they are still there.
    var pending: PublishedList {
        var list = self
        for path in entries.keys {
            list.entries[path]?.isPending = true
            list.entries[path]?.digest = nil
        }
        return list
    }

    /// The paths of the files that a publication was about to send, and might not have sent or reported.
    var pendingPaths: Set<String> { Set(entries.filter { $0.value.isPending && $0.value.since == nil }.keys) }

    /// The paths of the photo pages that are part of the site.
    var photoPages: Set<String> {
        Set(entries.filter { $0.value.since == nil && RemovalOrder($0.key) == .photoPages }.keys)
    }

    /// Reads a list. No path of a valid list leads out of the site's own folders.
    /// - Returns: nil if the text is not a list of this version of the format.
    package init?(_ bytes: [UInt8]) {
        // `components(separatedBy:)` would take several times as long for a large site.
        var lines = bytes.split(separator: UInt8(ascii: "\n")).makeIterator()
        guard let first = lines.next().map({ String(decoding: $0, as: UTF8.self) }), first.hasPrefix(Self.header),
            let count = Int(first.dropFirst(Self.header.count))
        else { return nil }
        while let line = lines.next() {
            guard let (path, entry) = Self.entry(line), isPathOfSiteFile(path),
                entries.updateValue(entry, forKey: path) == nil
            else { return nil }
        }
        // With a list that was cut short, files of ours would count as foreign.
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

    /// The text of the list. Equal lists have equal texts.
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
