internal import Downloads
internal import Foundation
internal import Imaging
internal import Ledger
internal import PhotoModel

extension Source {
    /// The key of the address in the ledger: hashed, because an address may hold a password.
    var rowKey: Digest { Digest(of: key) }
}

extension CachedOriginal {
    /// - Returns: nil for an address that has given no original yet, or something else since.
    init?(row: SourceRow) {
        guard row.refusal == nil, let sha256 = row.sha256 else { return nil }
        // A stamp that cannot be read proves nothing: the file is read again.
        let stamp = row.fileStamp.flatMap { FileStamp(text: $0) }
        self.init(
            original: StoredOriginal(digest: sha256, bytes: row.bytes),
            metadata: CacheMetadata(
                etag: row.etag, lastModified: row.lastModified, file: stamp,
                validated: row.validated, freshUntil: row.freshUntil, freshness: Freshness(text: row.caching)))
    }

    func row(key: Digest) -> SourceRow {
        SourceRow(
            key: key, sha256: original.digest, bytes: original.bytes, etag: metadata.etag,
            lastModified: metadata.lastModified, fileStamp: metadata.file?.text,
            validated: metadata.validated, freshUntil: metadata.freshUntil, caching: metadata.freshness.text)
    }
}

extension RefusedContent {
    /// - Returns: nil for an address whose last content was taken.
    init?(row: SourceRow) {
        guard let refusal = row.refusal else { return nil }
        // An unreadable row counts as missing, and the address is requested anew.
        let words = refusal.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let edition = Int(words[0]), let code = ReasonCode(rawValue: String(words[1])),
            let failure = Failure(code, String(words[2]))
        else { return nil }
        self.init(
            failure: failure, edition: edition,
            metadata: CacheMetadata(
                etag: row.etag, lastModified: row.lastModified, validated: row.validated, freshUntil: row.freshUntil,
                freshness: Freshness(text: row.caching)))
    }

    /// The address's earlier row with this answer in place of its last one. The original that the address gave before
    /// stays known.
    func row(key: Digest, after old: SourceRow?) -> SourceRow {
        SourceRow(
            key: key, sha256: old?.sha256, bytes: old?.bytes ?? 0, etag: metadata.etag,
            lastModified: metadata.lastModified, validated: metadata.validated, freshUntil: metadata.freshUntil,
            fetched: old?.fetched, caching: metadata.freshness.text, refusal: text)
    }

    /// The ledger's format: the edition, the reason's code, and what was found.
    private var text: String { "\(edition) \(Reason(failure).code.rawValue) \(failure.found)" }
}

extension Failure {
    /// - Returns: nil for a reason that the first bytes of a file do not show.
    fileprivate init?(_ code: ReasonCode, _ found: String) {
        switch code {
        case .notAnImage: self = .notAnImage(found: found)
        case .unsupportedFormat: self = .unsupportedFormat(found)
        default: return nil
        }
    }

    fileprivate var found: String {
        switch self {
        case .notAnImage(let found), .unsupportedFormat(let found): found
        default: ""
        }
    }
}

extension FileStamp {
    /// The ledger's format: size, both times and inode.
    var text: String { "\(size) \(modifiedNanoseconds) \(changedNanoseconds) \(Int64(bitPattern: inode))" }

    init?(text: String) {
        var rest = text.utf8[...]
        guard let size = rest.nextNumber(), let modified = rest.nextNumber(), let changed = rest.nextNumber(),
            let inode = rest.nextNumber(), rest.isEmpty
        else { return nil }
        self.init(
            size: size, modifiedNanoseconds: modified, changedNanoseconds: changed, inode: UInt64(bitPattern: inode))
    }
}

extension Substring.UTF8View {
    /// Takes a decimal number and the space after it away. By hand, as a plan reads four of them for every local photo.
    fileprivate mutating func nextNumber() -> Int64? {
        let isNegative = first == UInt8(ascii: "-")
        if isNegative { removeFirst() }
        var number: Int64 = 0
        var hasDigits = false
        while let byte = first, byte != UInt8(ascii: " ") {
            guard (48...57).contains(byte) else { return nil }
            let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.subtractingReportingOverflow(Int64(byte - 48))
            guard !overflow, !carry else { return nil }
            number = sum
            hasDigits = true
            removeFirst()
        }
        if !isEmpty { removeFirst() }
        // Counted downwards, as there is one negative number more than there are positive ones.
        return hasDigits && (isNegative || number > .min) ? (isNegative ? number : -number) : nil
    }
}

extension RetryAfter {
    /// - Returns: nil unless the server asked to be left alone.
    init?(row: SourceRow) {
        guard let until = row.retryAfter, let status = row.retryStatus else { return nil }
        self.init(status: status, until: until)
    }

    /// The row of the address with the pause added.
    func row(key: Digest, after old: SourceRow?) -> SourceRow {
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
        old.validated = value.validated
        return old != self
    }
}

extension ImageMetadata {
    /// - Parameter edition: if given, facts of any other edition count as none, so that they are read again.
    init?(json: String, edition: Int? = nil) {
        // Facts that cannot be read, or that no picture has, are taken from the original again.
        guard let (found, facts) = Self.read(json), edition == nil || found == edition,
            (1...Self.longestSide).contains(facts.width), (1...Self.longestSide).contains(facts.height)
        else { return nil }
        self = facts
    }

    private static func read(_ json: String) -> (edition: Int?, facts: ImageMetadata)? {
        if let scan = FactsScan(json), let facts = scan.facts { return (scan.edition, facts) }
        // A text that the decoder can't read has no facts.
        return (try? JSONDecoder().decode(FactsRow.self, from: Data(json.utf8))).map { ($0.edition, $0.facts) }
    }

    /// Pixels; what PNG and JPEG can hold is less.
    private static let longestSide = 1 << 31

    var json: String { Gallery.json(FactsRow(edition: Self.edition, facts: self)) ?? "" }

    func row(of original: Digest) -> OriginalRow { OriginalRow(sha256: original, facts: json) }
}

/// The facts of an original as the ledger has them: with their edition beside them, which the first did not have.
private struct FactsRow: Codable {
    let edition: Int?
    let facts: ImageMetadata

    private enum Key: CodingKey {
        case edition
    }

    init(edition: Int, facts: ImageMetadata) {
        self.edition = edition
        self.facts = facts
    }

    init(from decoder: any Decoder) throws {
        edition = try decoder.container(keyedBy: Key.self).decodeIfPresent(Int.self, forKey: .edition)
        facts = try ImageMetadata(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(edition, forKey: .edition)
        try facts.encode(to: encoder)
    }
}

/// Compact JSON with sorted keys; nil for a value that JSON cannot hold, which none of ours is.
private func json(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Encoding texts and numbers can't fail.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
}
