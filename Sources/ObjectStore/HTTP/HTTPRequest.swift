internal import Foundation
internal import PhotoModel

/// A request to a server.
struct HTTPRequest {
    var method: String
    var url: String
    var headers: [(name: String, value: String)] = []
    var body = RequestBody.none
    /// The time of this machine.
    var date = Date()
}

/// The content that a request sends.
enum RequestBody {
    case none
    case bytes([UInt8])
    /// `count` bytes of a file from an offset, and their digest. They are read while they are sent.
    case file(StoreFile, offset: Int64, count: Int64, digest: Digest)

    /// The number of bytes.
    var count: Int64 {
        switch self {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let count, _): count
        }
    }

    var digest: Digest {
        switch self {
        case .none: Digest(of: [])
        case .bytes(let bytes): Digest(of: bytes)
        case .file(_, _, _, let digest): digest
        }
    }

    /// Copies bytes into a buffer.
    /// - Returns: the number of bytes; 0 at the end.
    func read(at position: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ObjectStoreError) -> Int {
        let wanted = min(buffer.count, Int(count - position))
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        switch self {
        case .none: return 0
        case .bytes(let bytes):
            bytes[Int(position)..<Int(position) + wanted].withUnsafeBytes { part.copyMemory(from: $0) }
            return wanted
        case .file(let file, let offset, _, _): return try file.read(at: offset + position, into: part)
        }
    }
}

/// The destination of the content of a response. The content of an answer that reports no success is always read into
/// memory.
enum ResponseSink {
    /// Into memory, at most `limit` bytes. A longer response is an error.
    case memory(limit: Int)
    /// Into memory. The transfer ends when `count` bytes have arrived.
    case prefix(Int)
    /// Into a file, from its beginning.
    case file(StoreFile)

    /// A listing of 1,000 keys has less than 2 MB.
    static var memory: ResponseSink { .memory(limit: 256 << 20) }
    /// For an object that the program has made. The record of a shard has about 2 kB for each photo.
    static var object: ResponseSink { .memory(limit: 5 << 30) }
}

/// A complete response.
struct HTTPResponse {
    let status: Int
    /// The headers by their names in lower case.
    let headers: [String: String]
    /// The content, unless it is in a file.
    let body: [UInt8]

    /// The time of the request minus that of the server, in seconds; nil if the server has told none.
    let secondsAhead: Int?

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The response with a status that reports an error of the server.
    var asFailure: HTTPResponse {
        HTTPResponse(status: 500, headers: headers, body: body, secondsAhead: secondsAhead)
    }
}
