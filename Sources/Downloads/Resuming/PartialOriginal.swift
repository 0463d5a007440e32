internal import PhotoModel

/// The record of an original whose transfer broke off: enough to request the rest of the same version, and to tell
/// whether the stored part is intact.
struct PartialOriginal: Hashable, Codable, Sendable {
    /// The number of bytes received; at least 1.
    let bytes: Int64
    /// The SHA-256 of these bytes.
    let digest: Digest
    /// The size of the whole original in bytes; nil if the server did not state it.
    let total: Int64?
    let etag: String?
    let lastModified: String?
    /// Where the validators come from, in the ledger's form; nil for the address itself.
    let responder: String?
    /// The `Content-Type` of the first response. A response with the rest can omit it (RFC 9110 §15.3.7).
    let contentType: String?

    /// - Parameters:
    ///   - start: the part that has arrived.
    ///   - headers: the header of the response that sent it.
    ///   - responder: where the response came from; nil for the address itself.
    ///   - earlier: the part that the response continued; nil if it sent the original from the start.
    /// - Returns: nil if nothing is missing, or if the server can't be asked for the rest of exactly this version.
    init?(
        _ start: StoredOriginal, total: Int64?, headers: ResponseHeaders, from responder: Responder?,
        after earlier: PartialOriginal?
    ) {
        guard headers.isUncompressed, headers.mayBeResumed, start.bytes > 0 else { return nil }
        if let total, start.bytes >= total { return nil }
        bytes = start.bytes
        digest = start.digest
        self.total = total
        etag = headers.etag ?? earlier?.etag
        lastModified = headers.lastModified ?? earlier?.lastModified
        self.responder = responder?.text
        contentType = earlier?.contentType ?? headers.contentType
        guard earlier != nil || hasStrongValidator(date: headers.date) else { return nil }
    }

    var metadata: CacheMetadata {
        CacheMetadata(etag: etag, lastModified: lastModified, responder: responder.map { Responder(text: $0) })
    }

    /// Adds the fields that request the rest, and its condition (RFC 9110 §13.1.5).
    func addConditions(to fields: inout HeaderList) throws(DownloadsError) {
        guard let validator = etag ?? lastModified, HeaderList.isValidValue(validator) else { return }
        try fields.append("Range", "bytes=\(bytes)-")
        try fields.append("If-Range", validator)
    }

    /// Whether there is a strong validator: an ETag that is not weak, or else a `Last-Modified` date before the date of
    /// the response, so that no second version can have the same date (RFC 9110 §8.8.2.2).
    private func hasStrongValidator(date: String?) -> Bool {
        if let etag { return etag.hasPrefix("\"") }
        guard let changed = lastModified.flatMap({ HTTPDate.seconds($0) }),
            let sent = date.flatMap({ HTTPDate.seconds($0) })
        else { return false }
        return changed < sent
    }

    /// Whether a 206 brings exactly the missing rest. The end of the original must be certain: the server must have
    /// stated the size of the whole, now or with the kept part. If it never did (no `Content-Length`, and "*" for the
    /// size), the end of the range may not be the end of the original.
    func isContinued(by headers: ResponseHeaders) -> Bool {
        guard headers.isUncompressed, let range = headers.contentRange.flatMap({ ContentRange($0) }),
            let whole = range.total ?? total
        else { return false }
        let isSameSize = total == nil || total == whole
        let isRest = range.first == bytes && range.last == whole - 1
        // A shorter body was cut off. A longer body is a different range from the one that the response names.
        let isNoLonger = headers.contentLength.map { $0 <= whole - bytes } ?? true
        return isSameVersion(headers) && isSameSize && isRest && isNoLonger
    }

    private func isSameVersion(_ headers: ResponseHeaders) -> Bool {
        guard headers.etag == nil || headers.etag == etag else { return false }
        return etag != nil || headers.lastModified == nil || headers.lastModified == lastModified
    }
}

/// A `Content-Range` field for a single range of bytes (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    let first: Int64
    let last: Int64
    /// The size of the whole; nil if the server does not know it ("*").
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
