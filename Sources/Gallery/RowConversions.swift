internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import PhotoModel

extension Source {
    /// The key of the address in the ledger: hashed, because an address may hold a password.
    var rowKey: String { Digest(of: key).hex }
}

extension KnownOriginal {
    /// - Returns: nil for an address that has given no original yet.
    init?(row: SourceRow) {
        guard let sha256 = row.sha256 else { return nil }
        // A stamp that cannot be read proves nothing: the file is read again.
        let stamp = row.fileStamp.flatMap { FileStamp(text: $0) }
        self.init(
            original: StoredOriginal(digest: sha256, bytes: row.bytes),
            validators: Validators(
                etag: row.etag, lastModified: row.lastModified, file: stamp,
                validated: row.validated, freshUntil: row.freshUntil))
    }

    func row(key: String) -> SourceRow {
        SourceRow(
            key: key, sha256: original.digest, bytes: original.bytes, etag: validators.etag,
            lastModified: validators.lastModified, fileStamp: validators.file?.text,
            validated: validators.validated, freshUntil: validators.freshUntil)
    }
}

extension FileStamp {
    /// As the ledger keeps it: size, both times and inode.
    var text: String { "\(size) \(modifiedNanoseconds) \(changedNanoseconds) \(inode)" }

    init?(text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 4, let size = Int64(parts[0]), let modified = Int64(parts[1]),
            let changed = Int64(parts[2]), let inode = UInt64(parts[3])
        else { return nil }
        self.init(size: size, modifiedNanoseconds: modified, changedNanoseconds: changed, inode: inode)
    }
}

extension ServerWait {
    /// - Returns: nil unless the server asked to be left alone.
    init?(row: SourceRow) {
        guard let until = row.retryAfter, let status = row.retryStatus else { return nil }
        self.init(status: status, until: until)
    }

    /// What was known of the address, with the wait added.
    func row(key: String, after old: SourceRow?) -> SourceRow {
        var row = old ?? SourceRow(key: key, sha256: nil, bytes: 0)
        row.retryAfter = until
        row.retryStatus = status
        return row
    }
}

extension SourceRow {
    /// Whether anything but the time of the last look has changed.
    func isNews(after old: SourceRow?) -> Bool {
        guard var old else { return true }
        old.validated = validated
        return old != self
    }
}

extension PictureFacts {
    init?(json: String) {
        // Facts that cannot be read, or that no picture has, are taken from the original again.
        guard let facts = try? JSONDecoder().decode(PictureFacts.self, from: Data(json.utf8)),
            (1...Self.longestSide).contains(facts.width), (1...Self.longestSide).contains(facts.height)
        else { return nil }
        self = facts
    }

    /// Pixels; what PNG and JPEG can hold is less.
    private static let longestSide = 1 << 31

    var json: String { Gallery.json(self) ?? "" }

    func row(of original: Digest) -> OriginalRow { OriginalRow(sha256: original, facts: json) }
}

/// Compact JSON with sorted keys; nil for a value that JSON cannot hold, which none of ours is.
private func json(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
}
