internal import PhotoModel

/// The record of an original whose transfer broke off: enough to request the rest of the same version, and to tell
/// whether the stored part is intact.
struct PartialOriginal: Hashable, Codable, Sendable {
    /// The number of bytes received; at least 1.
    let bytes: Int64
    /// The SHA-256 of these bytes.
    let digest: Digest
    /// The size of the whole in bytes; nil if the server did not give it.
    let total: Int64?
    let etag: String?
    let lastModified: String?

    /// - Parameters:
    ///   - start: what has arrived.
    ///   - headers: of the answer that brought it.
    /// - Returns: nil unless the server can be asked for the rest of exactly this version, and there is one.
    init?(_ start: StoredOriginal, total: Int64?, headers: ResponseHeaders, after earlier: PartialOriginal?) {
        guard headers.isUncompressed, headers.mayBeResumed, start.bytes > 0 else { return nil }
        if let total, start.bytes >= total { return nil }
        bytes = start.bytes
        digest = start.digest
        self.total = total
        etag = headers.etag ?? earlier?.etag
        lastModified = headers.lastModified ?? earlier?.lastModified
        guard earlier != nil || hasStrongValidator(date: headers.date) else { return nil }
    }

    var metadata: CacheMetadata { CacheMetadata(etag: etag, lastModified: lastModified) }

    /// Adds what asks for the rest, and under which condition (RFC 9110 §13.1.5).
    func addConditions(to fields: inout HeaderList) throws(DownloadsError) {
        guard let validator = etag ?? lastModified, HeaderList.isValidValue(validator) else { return }
        try fields.append("Range", "bytes=\(bytes)-")
        try fields.append("If-Range", validator)
    }

    /// An ETag that is not weak; or a date before that of the answer, so that no second version can have the same
    /// (RFC 9110 §8.8.2.2).
    private func hasStrongValidator(date: String?) -> Bool {
        if let etag { return etag.hasPrefix("\"") }
        guard let changed = lastModified.flatMap({ HTTPDate.seconds($0) }),
            let sent = date.flatMap({ HTTPDate.seconds($0) })
        else { return false }
        return changed < sent
    }

    /// Whether an answer with status 206 brings just what is missing, up to an end that is certain: the server has
    /// said how many bytes the whole has, now or with what was kept. Where it never did (no `Content-Length`, and "*"
    /// for the size), the end of a range is no more than the end of that range.
    func isContinued(by headers: ResponseHeaders) -> Bool {
        guard headers.isUncompressed, let range = headers.contentRange.flatMap({ ContentRange($0) }),
            let whole = range.total ?? total
        else { return false }
        let isSameSize = total == nil || total == whole
        let isRest = range.first == bytes && range.last == whole - 1
        // A shorter body is cut off; a longer one is another range than the one that is named.
        let isNoLonger = headers.contentLength.map { $0 <= whole - bytes } ?? true
        return isSameVersion(headers) && isSameSize && isRest && isNoLonger
    }

    private func isSameVersion(_ headers: ResponseHeaders) -> Bool {
        guard headers.etag == nil || headers.etag == etag else { return false }
        return etag != nil || headers.lastModified == nil || headers.lastModified == lastModified
    }
}

/// A `Content-Range` field of a single part in bytes (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    let first: Int64
    let last: Int64
    /// Nil where the server does not know it: "*".
    let total: Int64?

    init?(_ field: String) {
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]),
            first >= 0, first <= last
        else { return nil }
        let total = Int64(parts[1])
        guard parts[1] == "*" || total.map({ last < $0 }) == true else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }
}
