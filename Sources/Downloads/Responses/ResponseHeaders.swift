/// The fields of a response that matter here, read line by line as libcurl hands them over. Only those of the last
/// response count: nothing is left over of an interim one (1xx, RFC 9110 §15.2), or of a request that libcurl had to
/// repeat. What is the first line of a response, and which status it tells, libcurl alone decides: a line within a
/// header or a trailer never begins another, whatever it looks like. A class, because there is one for each transfer,
/// and whoever looks at it would take a copy of a dozen texts.
final class ResponseHeaders {
    /// 0 until a status line was read.
    private(set) var status = 0
    /// The empty line that ends the header was read.
    private(set) var isComplete = false
    private(set) var etag: String?
    private(set) var lastModified: String?
    private(set) var retryAfter: String?
    /// Nil also where it is not a number; the largest there is where no integer holds it.
    private(set) var contentLength: Int64?
    /// Whether the response states two different lengths, of which neither can be trusted (RFC 9112 §6.3).
    private(set) var hasConflictingLengths = false
    private(set) var contentRange: String?
    /// The media type of the body and its parameters (RFC 9110 §8.3).
    private(set) var contentType: String?
    private var contentEncoding: String?
    private var acceptRanges: String?
    /// The address of a redirect, as it was sent; the first that is not empty, as libcurl has it.
    private var location: String?
    private(set) var caching = CachingFields()
    /// The caching fields of the redirects that led here.
    private let cachingOfRedirects: [CachingFields]
    /// Whether the next line is the first line of a response.
    private var isBlank = true
    /// The size of the headers of all responses of the transfer, with trailers.
    private(set) var bytes = 0

    /// More than any honest server sends; a header without end must stop somewhere.
    static let maxBytes = 256 * 1024
    /// An ETag or a date beyond this is not worth remembering.
    private static let maxValueBytes = 4096

    /// - Parameter redirects: the caching fields of those that led here.
    init(after redirects: [CachingFields] = []) { cachingOfRedirects = redirects }

    var date: String? { caching.date }

    /// The body is the picture itself, and not a compressed form of it.
    var isUncompressed: Bool { contentEncoding.map { $0.lowercased() == "identity" } ?? true }

    /// Whether the stated coding of the body is no coding (RFC 9110 §8.4.1), such as "binary", so that the body may
    /// well be the picture.
    var namesUnknownCoding: Bool {
        guard let contentEncoding else { return false }
        return !contentEncoding.split(separator: ",").contains { name in
            Self.codings.contains(name.drop { $0 == " " }.prefix { $0 != " " }.lowercased())
        }
    }

    private static let codings: Set = [
        "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz",
    ]

    /// Whether the body is the whole original, also if a proxy changed something of it (203).
    var isWhole: Bool { status == 200 || status == 203 }

    /// The server did not say that it never sends parts.
    var mayBeResumed: Bool { acceptRanges?.lowercased() != "none" && !hasConflictingLengths }

    /// The address of a redirect, as it was sent; nil if this is none (RFC 9110 §15.4: 304 is not).
    var redirectLocation: String? { (300..<400).contains(status) && status != 304 ? location : nil }

    /// Whether the server says that the new address is to be used from now on (RFC 9110 §15.4.2, §15.4.9).
    var isPermanentRedirect: Bool { status == 301 || status == 308 }

    /// The freshness of the last response. A response that confirms an earlier one inherits the fields it leaves out.
    func freshness(after stored: Freshness) -> Freshness { caching.freshness(after: stored) }

    /// Until when all that was said, from the first redirect on, may be used without asking again; nil if something
    /// of it may not.
    ///
    /// - Parameters:
    ///   - freshness: of the last response, as `freshness(after:)` has it.
    ///   - now: seconds since 1970.
    func freshUntil(_ freshness: Freshness, receivedAt now: Int64) -> Int64? {
        guard var soonest = caching.freshUntil(freshness, receivedAt: now) else { return nil }
        for fields in cachingOfRedirects {
            guard let moment = fields.freshUntil(receivedAt: now) else { return nil }
            soonest = min(soonest, moment)
        }
        return soonest
    }

    /// Forgets the response; the count of bytes goes on.
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
    ///   - statusRead: the status that libcurl has read; asked for at the first line of a response.
    func add(_ line: UnsafeRawBufferPointer, status statusRead: () -> Int) {
        bytes += line.count
        if isComplete, (100..<200).contains(status) { beginRequest() }
        if isBlank {
            status = statusRead()
            isBlank = false
        } else if isComplete {
            // A trailer comes too late to be used.
        } else if line.first == 0x0D || line.first == 0x0A {
            // Whatever follows a carriage return there, libcurl takes the line for the end.
            isComplete = true
        } else if let field = HeaderField(line) {
            set(field)
        }
    }

    private func set(_ field: HeaderField) {
        // Most fields are of no interest, and most of those are told by the length of their names.
        switch field.nameLength {
        case 8 where field.isNamed("location"): setLocation(field.value)
        case _ where field.value.count > Self.maxValueBytes: break
        case 3 where field.isNamed("age"): caching.age = field.text
        case 4 where field.isNamed("date"): caching.date = field.text
        case 4 where field.isNamed("vary"): caching.vary = Self.list(caching.vary, field)
        case 7 where field.isNamed("expires"): caching.expires = field.text
        case 13 where field.isNamed("cache-control"):
            caching.cacheControl = Self.list(caching.cacheControl, field)
        // `If-None-Match: *` would make a server compare nothing.
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

    /// A field that comes twice is one list (RFC 9110 §5.3). One that comes without end is not read to its end.
    private static func list(_ earlier: String?, _ field: HeaderField) -> String {
        guard let earlier else { return field.text }
        return earlier.utf8.count > maxValueBytes ? earlier : "\(earlier), \(field.text)"
    }

    private func setLocation(_ value: UnsafeRawBufferPointer) {
        guard location == nil, !value.isEmpty else { return }
        // Bytes that are not UTF-8 are percent-encoded, as libcurl does.
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
