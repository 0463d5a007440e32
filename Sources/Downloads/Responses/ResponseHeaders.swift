/// The fields of a response that this module uses, read line by line as libcurl delivers them.
///
/// Only the last response counts: the fields of an interim response (1xx, RFC 9110 §15.2), and of a request that
/// libcurl had to repeat, are discarded. libcurl alone decides which line is the first of a response, and which status
/// it states. A line within a header or a trailer never begins another response, whatever it looks like.
///
/// This is a class because each transfer has one, and a struct of a dozen strings would be copied whenever it is passed
/// on.
final class ResponseHeaders {
    /// The status code; 0 until a status line has been read.
    private(set) var status = 0
    /// Whether the empty line that ends the header has been read.
    private(set) var isComplete = false
    private(set) var etag: String?
    private(set) var lastModified: String?
    private(set) var retryAfter: String?
    /// The length in bytes; nil also if the field is not a number, and the largest integer if the number exceeds it.
    private(set) var contentLength: Int64?
    /// Whether the response states two different lengths, neither of which can be trusted (RFC 9112 §6.3).
    private(set) var hasConflictingLengths = false
    private(set) var contentRange: String?
    /// The media type of the body and its parameters (RFC 9110 §8.3).
    private(set) var contentType: String?
    private var contentEncoding: String?
    private var acceptRanges: String?
    /// The target of a redirect as it was sent: the first `Location` that is not empty, as in libcurl.
    private var location: String?
    private(set) var caching = CachingFields()
    /// The caching fields of the redirects that led here.
    private let cachingOfRedirects: [CachingFields]
    /// Whether the next line is the first line of a response.
    private var isBlank = true
    /// The size in bytes of the headers and trailers of all responses of the transfer.
    private(set) var bytes = 0

    /// The largest header that is accepted, in bytes. No honest server sends more, and a header without end must be
    /// stopped.
    static let maxBytes = 256 * 1024
    /// The longest value that is kept, in bytes. A longer ETag or date is not worth storing.
    private static let maxValueBytes = 4096

    /// - Parameter redirects: the caching fields of the redirects that led here.
    init(after redirects: [CachingFields] = []) { cachingOfRedirects = redirects }

    var date: String? { caching.date }

    /// Whether the body is the picture itself and not a compressed form of it.
    var isUncompressed: Bool { contentEncoding.map { $0.lowercased() == "identity" } ?? true }

    /// Whether the stated coding of the body does not exist (RFC 9110 §8.4.1), such as "binary", so that the body is
    /// probably the picture itself.
    var namesUnknownCoding: Bool {
        guard let contentEncoding else { return false }
        return !contentEncoding.split(separator: ",").contains { name in
            Self.codings.contains(name.drop { $0 == " " }.prefix { $0 != " " }.lowercased())
        }
    }

    private static let codings: Set = [
        "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz",
    ]

    /// Whether the body is the whole original. A proxy may have changed it (203).
    var hasWholeContent: Bool { status == 200 || status == 203 }

    /// Whether an interrupted transfer can be resumed: the server has not said that it never sends ranges.
    var mayBeResumed: Bool { acceptRanges?.lowercased() != "none" && !hasConflictingLengths }

    /// The target of a redirect as it was sent; nil if the response is not a redirect (RFC 9110 §15.4). A 304 is not
    /// one.
    var redirectLocation: String? { (300..<400).contains(status) && status != 304 ? location : nil }

    /// Whether the new address replaces the old one from now on (RFC 9110 §15.4.2, §15.4.9).
    var isPermanentRedirect: Bool { status == 301 || status == 308 }

    /// The freshness of the last response. A response that confirms an earlier one inherits the fields that it leaves
    /// out.
    func freshness(after stored: Freshness) -> Freshness { caching.freshness(after: stored) }

    /// The time until which all responses, from the first redirect on, may be used without another request; nil if one
    /// of them must always be requested.
    ///
    /// - Parameters:
    ///   - freshness: the freshness of the last response, as `freshness(after:)` returns it.
    ///   - now: the time at which the response was received, in seconds since 1970.
    /// - Returns: the time in seconds since 1970.
    func freshUntil(_ freshness: Freshness, receivedAt now: Int64) -> Int64? {
        guard var soonest = caching.freshUntil(freshness, receivedAt: now) else { return nil }
        for fields in cachingOfRedirects {
            guard let moment = fields.freshUntil(receivedAt: now) else { return nil }
            soonest = min(soonest, moment)
        }
        return soonest
    }

    /// Forgets the response. The count of bytes continues.
    func beginRequest() {
        guard !isBlank else { return }
        isBlank = true
        caching = CachingFields()
        status = 0
        isComplete = false
        (etag, lastModified, retryAfter, contentLength, location) = (nil, nil, nil, nil, nil)
        (contentRange, contentType, contentEncoding, acceptRanges) = (nil, nil, nil, nil)
        hasConflictingLengths = false
    }

    /// - Parameters:
    ///   - line: one line with its line ending.
    ///   - statusRead: returns the status that libcurl has read; called at the first line of a response.
    func add(_ line: UnsafeRawBufferPointer, status statusRead: () -> Int) {
        bytes += line.count
        if isComplete, (100..<200).contains(status) { beginRequest() }
        if isBlank {
            status = statusRead()
            isBlank = false
        } else if isComplete {
            // A trailer arrives too late to be used.
        } else if line.first == 0x0D || line.first == 0x0A {
            // libcurl ends the header at a line that begins with a carriage return, whatever follows it.
            isComplete = true
        } else if let field = HeaderField(line) {
            set(field)
        }
    }

    private func set(_ field: HeaderField) {
        // Most fields are of no interest, and the length of the name rules out most of them.
        switch field.nameLength {
        case 8 where field.isNamed("location"): setLocation(field.value)
        case _ where field.value.count > Self.maxValueBytes: break
        case 3 where field.isNamed("age"): caching.age = field.text
        case 4 where field.isNamed("date"): caching.date = field.text
        case 4 where field.isNamed("vary"): caching.vary = Self.list(caching.vary, field)
        case 7 where field.isNamed("expires"): caching.expires = field.text
        case 13 where field.isNamed("cache-control"):
            caching.cacheControl = Self.list(caching.cacheControl, field)
        // `If-None-Match: *` would match any version.
        case 4 where field.isNamed("etag"): etag = field.text == "*" ? nil : field.latin1Text
        case 11 where field.isNamed("retry-after"): retryAfter = field.text
        case 12 where field.isNamed("content-type"): contentType = field.text
        case 13 where field.isNamed("content-range"): contentRange = Self.list(contentRange, field)
        case 13 where field.isNamed("accept-ranges"): acceptRanges = field.text
        case 16 where field.isNamed("content-encoding"): contentEncoding = Self.list(contentEncoding, field)
        case 13 where field.isNamed("last-modified"): lastModified = field.latin1Text
        case 14 where field.isNamed("content-length"): setLength(field.text)
        default: break
        }
    }

    /// Joins fields of the same name, which form one list (RFC 9110 §5.3). A list that grows too long is not continued.
    private static func list(_ earlier: String?, _ field: HeaderField) -> String {
        guard let earlier else { return field.text }
        return earlier.utf8.count > maxValueBytes ? earlier : "\(earlier), \(field.text)"
    }

    private func setLocation(_ value: UnsafeRawBufferPointer) {
        guard location == nil, !value.isEmpty else { return }
        // Bytes that are not UTF-8 are percent-encoded, as by libcurl.
        location =
            String(validating: value, as: UTF8.self)
            ?? value.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16) }.joined()
    }

    private func setLength(_ text: String) {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let length = Int64(text) ?? (isNumber ? .max : nil)
        if let earlier = contentLength, earlier != length { hasConflictingLengths = true }
        contentLength = length
    }
}
