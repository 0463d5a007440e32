internal import Foundation
internal import Manifest

/// The property list that an import produces: a new list, or a list that a source is merged into.
package struct ImportedDocument: Sendable {
    package let bytes: [UInt8]
    /// The numbers of entries that are new, that left the source, and that returned to it.
    package private(set) var added: Int
    package private(set) var missing = 0
    package private(set) var returned = 0
    package private(set) var warnings: [String]

    /// Makes a new list.
    ///
    /// - Parameters:
    ///   - source: the name of the source in messages, and its identity as seen from the list's folder.
    ///   - list: the absolute path of the list.
    /// - Throws: `ImportError.unreadableResult`.
    package init(
        _ imported: ImportedList, of source: (shown: String, identity: String), list: String
    ) throws(ImportError) {
        let record = Self.record(imported, source, list)
        bytes = Array(PropertyListWriter.document(imported, record: record).utf8)
        added = imported.photos.count
        warnings = imported.warnings
        try check(list)
    }

    /// Merges a source into a list.
    ///
    /// - Parameters:
    ///   - source: the name of the source in messages, and its identity as seen from the list's folder.
    ///   - existing: the bytes of the list before the merge.
    ///   - list: the absolute path of the list.
    ///   - today: the date in marks, as YYYY-MM-DD.
    /// - Throws: `ImportError.listIsNotUTF8`, `.unreadableResult`.
    package init(
        merging imported: ImportedList, of source: (shown: String, identity: String), into existing: [UInt8],
        list: String, today: String
    ) throws(ImportError) {
        guard PropertyListText.isUTF8(existing) else { throw .listIsNotUTF8 }
        var merge = ListMerge(existing, folder: FilePath.directory(of: list))
        let outcome = merge.merge(imported, record: Self.record(imported, source, list), today: today)
        bytes = outcome.bytes
        (added, missing, returned) = (outcome.added, outcome.missing, outcome.returned)
        let flattened =
            outcome.flattened == 1
            ? "1 photo of an album is listed without its album, because the list around it is an array or has a photo "
                + "with the album's name"
            : "\(outcome.flattened) photos of albums are listed without their album, because the list around them is "
                + "an array or has a photo with the album's name"
        warnings = imported.warnings + (outcome.flattened == 0 ? [] : [flattened])
        try check(list)
    }

    private static func record(
        _ imported: ImportedList, _ source: (shown: String, identity: String), _ list: String
    ) -> ImportRecord {
        let folder = FilePath.directory(of: list)
        let entries = imported.photos.map {
            EntryIdentity(address: $0.address, album: $0.album, name: $0.name, in: folder)
        }
        return ImportRecord(shown: source.shown, identity: source.identity, entries: entries)
    }

    /// Checks that the new list can be read: a list that can't be read must never replace one that can.
    private func check(_ list: String) throws(ImportError) {
        guard bytes.count <= ManifestReader.maximumSize else {
            throw .listTooLarge(limit: ManifestReader.maximumSize)
        }
        do {
            _ = try ManifestReader(origin: .file(path: list, shown: list)).read(bytes)
        } catch {
            throw .unreadableResult(error.description)
        }
    }
}
