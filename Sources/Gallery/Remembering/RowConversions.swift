internal import Downloads
internal import Imaging
internal import Ledger
internal import PhotoModel

extension Source {
    /// The key of the address in the ledger. It is a digest, because an address can contain a password.
    var rowKey: Digest { Digest(of: key) }
}

extension CachedOriginal {
    /// - Returns: nil for an address that has never delivered an original, or whose last content was refused.
    init?(row: SourceRow) {
        guard row.refusal == nil, let sha256 = row.sha256 else { return nil }
        self.init(
            original: StoredOriginal(digest: sha256, bytes: row.bytes),
            metadata: CacheMetadata(
                etag: row.etag, lastModified: row.lastModified, responder: row.responder.map { Responder(text: $0) },
                file: row.fileStamp, validated: row.validated, freshUntil: row.freshUntil,
                freshness: Freshness(text: row.caching)),
            moved: row.moved)
    }

    func row(key: Digest) -> SourceRow {
        SourceRow(
            key: key, sha256: original.digest, bytes: original.bytes, etag: metadata.etag,
            lastModified: metadata.lastModified, fileStamp: metadata.file,
            validated: metadata.validated, freshUntil: metadata.freshUntil, caching: metadata.freshness.text,
            moved: moved, responder: metadata.responder?.text)
    }
}

extension RefusedContent {
    /// - Returns: nil for an address whose last content was accepted.
    init?(row: SourceRow) {
        guard let refusal = row.refusal else { return nil }
        // An unreadable text counts as missing, and the address is requested again.
        let words = refusal.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let edition = Int(words[0]), let code = ReasonCode(rawValue: String(words[1])),
            let failure = Failure(code, String(words[2]))
        else { return nil }
        self.init(
            failure: failure, edition: edition,
            metadata: CacheMetadata(
                etag: row.etag, lastModified: row.lastModified, responder: row.responder.map { Responder(text: $0) },
                validated: row.validated, freshUntil: row.freshUntil, freshness: Freshness(text: row.caching)),
            moved: row.moved)
    }

    /// The row of the address with this refusal in place of the last answer. The original that the address delivered
    /// before is kept.
    func row(key: Digest, after old: SourceRow?) -> SourceRow {
        SourceRow(
            key: key, sha256: old?.sha256, bytes: old?.bytes ?? 0, etag: metadata.etag,
            lastModified: metadata.lastModified, validated: metadata.validated, freshUntil: metadata.freshUntil,
            fetched: old?.fetched, caching: metadata.freshness.text, refusal: text, moved: moved,
            responder: metadata.responder?.text)
    }

    /// The refusal in the ledger's format: the edition, the reason's code, and what was found.
    private var text: String { "\(edition) \(Reason(failure).code.rawValue) \(failure.found)" }
}

extension Failure {
    /// - Returns: nil for a reason that the first bytes of a file can't show, and for the texts of earlier versions.
    fileprivate init?(_ code: ReasonCode, _ found: String) {
        switch code {
        case .notAnImage:
            guard let kind = ContentKind(rawValue: found) else { return nil }
            self = .notAnImage(kind)
        case .unsupportedFormat: self = .unsupportedFormat(found)
        default: return nil
        }
    }

    fileprivate var found: String {
        switch self {
        case .notAnImage(let kind): kind.rawValue
        case .unsupportedFormat(let format): format
        default: ""
        }
    }
}

extension RetryAfter {
    /// - Returns: nil if the server did not ask for a pause.
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
    /// Whether anything except the time of the last validation has changed.
    func isNews(after old: SourceRow?) -> Bool {
        guard var old else { return true }
        old.validated = value.validated
        return old != self
    }
}

extension ImageMetadata {
    /// - Parameter edition: the edition that is required. Metadata of another edition is ignored, so that it is read
    ///   again; nil accepts any edition.
    init?(_ row: OriginalRow, edition: Int? = nil) {
        // Metadata that no picture can have is ignored, so that it is read from the original again.
        guard edition == nil || row.edition == edition, let format = OriginalFormat(rawValue: row.format),
            (1...Self.longestSide).contains(row.width), (1...Self.longestSide).contains(row.height)
        else { return nil }
        var capture = CaptureMetadata()
        if let fields = row.capture {
            (capture.taken, capture.camera, capture.lens, capture.exposure) =
                (fields.taken, fields.camera, fields.lens, fields.exposure)
        }
        self.init(
            format: format, width: row.width, height: row.height, hasTransparency: row.hasTransparency, capture: capture
        )
    }

    /// The largest plausible width or height, in pixels. PNG and JPEG allow less.
    private static let longestSide = 1 << 31

    func row(of original: Digest) -> OriginalRow {
        OriginalRow(
            sha256: original, edition: Self.edition, format: format.rawValue, width: width, height: height,
            hasTransparency: hasTransparency,
            capture: CaptureFields(taken: taken, camera: camera, lens: lens, exposure: exposure))
    }
}
