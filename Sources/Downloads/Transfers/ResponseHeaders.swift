/// The fields of a response that matter here, read line by line as libcurl hands them over. Only those of the last
/// response count: each status line begins anew, so nothing of a redirect is left over.
struct ResponseHeaders {
    /// 0 until a status line was read.
    private(set) var status = 0
    /// The empty line that ends the header was read.
    private(set) var isComplete = false
    private var fields: [Field: String] = [:]
    /// Of all responses of the transfer, trailers too.
    private(set) var bytes = 0

    /// More than any honest server sends; a header without end must stop somewhere.
    static let maxBytes = 256 * 1024
    /// An ETag or a date beyond this is not worth remembering.
    private static let maxValueBytes = 4096

    private enum Field: String, CaseIterable {
        case etag
        case lastModified = "last-modified"
        case contentLength = "content-length"
        case location

        static let byLength = Dictionary(grouping: allCases, by: \.rawValue.utf8.count)
    }

    var etag: String? { fields[.etag] }
    var lastModified: String? { fields[.lastModified] }
    /// Nil also where it is not a number.
    var contentLength: Int64? { fields[.contentLength].flatMap { Int64($0) } }
    var isRedirect: Bool { (300..<400).contains(status) && status != 304 && fields[.location] != nil }

    /// Forgets the response; the count of bytes goes on.
    mutating func beginRequest() {
        status = 0
        isComplete = false
        fields = [:]
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
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), let field = Self.field(named: line[..<colon]) {
            let value = line[(colon + 1)...].trimmed()
            if !value.isEmpty, value.count <= Self.maxValueBytes {
                fields[field] = String(decoding: value, as: UTF8.self)
            }
        }
    }

    /// The number after the first space: "HTTP/1.1 200 OK".
    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        let digits = line.drop { $0 != 0x20 }.dropFirst().prefix { (0x30...0x39).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private static func field(named name: Slice<UnsafeRawBufferPointer>) -> Field? {
        // Most fields are of no interest, and most of those are told by their length alone.
        Field.byLength[name.count]?.first { field in
            name.elementsEqual(field.rawValue.utf8) { byte, letter in
                byte == letter || ((0x41...0x5A).contains(byte) && byte | 0x20 == letter)
            }
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Without the spaces, tabs and line endings around it.
    fileprivate func trimmed() -> Self {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return start }
        return start[...end]
    }
}
