/// The fields of a response that matter here, read line by line as libcurl hands them over. Only those of the last
/// response count: each status line begins anew, so nothing of a redirect is left over.
struct ResponseHeaders {
    /// 0 until a status line was read.
    private(set) var status = 0
    /// The empty line that ends the header was read.
    private(set) var isComplete = false
    private(set) var etag: String?
    private(set) var lastModified: String?
    private(set) var retryAfter: String?
    /// Nil also where it is not a number; the largest there is where no integer holds it.
    private(set) var contentLength: Int64?
    /// Which of them is meant nobody can tell (RFC 9112 §6.3).
    private(set) var claimsTwoLengths = false
    private(set) var contentRange: String?
    private var contentEncoding: String?
    private var acceptRanges: String?
    private var hasLocation = false
    /// That of a redirect's address, in lower case; nil where that is relative.
    private(set) var redirectScheme: String?
    private var caching = CachingFields()
    /// Those of the redirects that led here.
    private var cachingOfRedirects: [CachingFields] = []
    /// Of all responses of the transfer, trailers too.
    private(set) var bytes = 0

    /// More than any honest server sends; a header without end must stop somewhere.
    static let maxBytes = 256 * 1024
    /// An ETag or a date beyond this is not worth remembering.
    private static let maxValueBytes = 4096

    var date: String? { caching.date }

    /// The body is the picture itself, and not a compressed form of it.
    var isPlain: Bool { contentEncoding.map { $0.lowercased() == "identity" } ?? true }

    /// The server did not say that it never sends parts.
    var mayBeResumed: Bool { acceptRanges?.lowercased() != "none" && !claimsTwoLengths }

    var isRedirect: Bool { (300..<400).contains(status) && status != 304 && hasLocation }

    /// Until when all that was said, from the first redirect on, may be used without asking again; nil if something of it
    /// may not.
    ///
    /// - Parameter now: seconds since 1970.
    func freshUntil(receivedAt now: Int64) -> Int64? {
        var soonest = Int64.max
        for fields in cachingOfRedirects + [caching] {
            guard let moment = fields.freshUntil(receivedAt: now) else { return nil }
            soonest = min(soonest, moment)
        }
        return soonest
    }

    /// Forgets the response; the count of bytes goes on.
    mutating func beginRequest() {
        if isRedirect { cachingOfRedirects.append(caching) }
        caching = CachingFields()
        status = 0
        isComplete = false
        (etag, lastModified, retryAfter, contentLength, hasLocation) = (nil, nil, nil, nil, false)
        (contentRange, contentEncoding, acceptRanges) = (nil, nil, nil)
        (claimsTwoLengths, redirectScheme) = (false, nil)
    }

    /// - Parameter line: one line with its line ending.
    mutating func add(_ line: UnsafeRawBufferPointer) {
        bytes += line.count
        if line.starts(with: "HTTP/".utf8) {
            beginRequest()
            status = Self.status(in: line)
        } else if isComplete {
            // A trailer: what it says came too late to be used.
        } else if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            isComplete = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            setField(line[..<colon], line[(colon + 1)...].trimmed())
        }
    }

    private mutating func setField(_ name: Slice<UnsafeRawBufferPointer>, _ value: Slice<UnsafeRawBufferPointer>) {
        guard !value.isEmpty else { return }
        if name.count == 8, name.isField("location") { return setLocation(value) }
        guard value.count <= Self.maxValueBytes else { return }
        // Most fields are of no interest, and most of those are told by the length of their names.
        switch name.count {
        case 3 where name.isField("age"): caching.age = String(decoding: value, as: UTF8.self)
        case 4 where name.isField("date"): caching.date = String(decoding: value, as: UTF8.self)
        case 4 where name.isField("vary"): caching.vary = String(decoding: value, as: UTF8.self)
        case 7 where name.isField("expires"): caching.expires = String(decoding: value, as: UTF8.self)
        case 13 where name.isField("cache-control"):
            // A field that comes twice is one list (RFC 9110 §5.3).
            let more = String(decoding: value, as: UTF8.self)
            caching.cacheControl = caching.cacheControl.map { "\($0), \(more)" } ?? more
        case 4 where name.isField("etag"): etag = String(decoding: value, as: UTF8.self)
        case 11 where name.isField("retry-after"): retryAfter = String(decoding: value, as: UTF8.self)
        case 13 where name.isField("content-range"): contentRange = String(decoding: value, as: UTF8.self)
        case 13 where name.isField("accept-ranges"): acceptRanges = String(decoding: value, as: UTF8.self)
        case 16 where name.isField("content-encoding"): contentEncoding = String(decoding: value, as: UTF8.self)
        case 13 where name.isField("last-modified"): lastModified = String(decoding: value, as: UTF8.self)
        case 14 where name.isField("content-length"): setLength(String(decoding: value, as: UTF8.self))
        default: break
        }
    }

    private mutating func setLocation(_ value: Slice<UnsafeRawBufferPointer>) {
        hasLocation = true
        let scheme = String(decoding: value.prefix { !":/?#".utf8.contains($0) }, as: UTF8.self)
        let isFollowedByColon = value.dropFirst(scheme.utf8.count).first == UInt8(ascii: ":")
        redirectScheme = isFollowedByColon && scheme.utf8.count <= 32 ? scheme.lowercased() : nil
    }

    private mutating func setLength(_ text: String) {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let length = Int64(text) ?? (isNumber ? .max : nil)
        if let earlier = contentLength, earlier != length { claimsTwoLengths = true }
        contentLength = length
    }

    /// The number after the first space: "HTTP/1.1 200 OK".
    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        let digits = line.drop { $0 != 0x20 }.dropFirst().prefix { (0x30...0x39).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// - Parameter name: in lower case.
    fileprivate func isField(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            elementsEqual(name) { byte, letter in
                byte == letter || ((0x41...0x5A).contains(byte) && byte | 0x20 == letter)
            }
        }
    }

    /// Without the spaces, tabs and line endings around it.
    fileprivate func trimmed() -> Self {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return start }
        return start[...end]
    }
}
