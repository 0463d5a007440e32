package import Foundation
internal import PhotoModel
internal import Synchronization

/// A client for a bucket of an S3 store, which writes, reads, lists and removes objects.
package final class S3Client: Sendable {
    /// An object as a listing shows it.
    package struct Object: Hashable, Sendable {
        package let key: String
        package let bytes: Int64
        /// The entity tag without its quotes, which in most stores is the MD5 of the content.
        package let tag: String
    }

    private let address: BucketURL
    private let region: String
    private let certificates: String?
    private let credentials: CredentialCache
    private let now: @Sendable () -> Date
    let isCancelled: @Sendable () -> Bool
    /// The connections that no request is using.
    private let idle = Mutex<[HTTPConnection]>([])

    /// The number of concurrent requests, which is enough for the round trips to a distant store.
    static let parallelRequests = 16
    /// The most keys in one DeleteObjects request.
    private static let keysPerRemoval = 1_000

    /// - Parameters:
    ///   - isCancelled: a closure that several threads call repeatedly; if it returns true, requests end.
    ///   - now: the time with which requests are signed.
    package init(
        _ configuration: S3Configuration, bucket: String, isCancelled: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        address = BucketURL(configuration.address(ofBucket: bucket))
        region = configuration.region
        certificates = configuration.certificates
        credentials = CredentialCache(configuration.credentials, now: now, isCancelled: isCancelled)
        self.now = now
        self.isCancelled = isCancelled
    }

    /// Reads an object.
    /// - Returns: nil if the object does not exist.
    package func get(_ key: String) throws(ObjectStoreError) -> [UInt8]? {
        try ifFound { () throws(ObjectStoreError) in
            try send(S3Request(method: "GET", key: key), into: .object).body
        }
    }

    /// The value of a header of an object.
    /// - Returns: nil if the object or the header does not exist.
    package func header(_ name: String, of key: String) throws(ObjectStoreError) -> String? {
        try ifFound { () throws(ObjectStoreError) in try send(S3Request(method: "HEAD", key: key)).headers }?[name]
    }

    /// The size of an object in bytes.
    /// - Returns: nil if the object does not exist.
    func size(of key: String) throws(ObjectStoreError) -> Int64? {
        try ifFound { () throws(ObjectStoreError) in
            try send(S3Request(method: "HEAD", key: key)).headers["content-length"].flatMap { Int64($0) } ?? -1
        }
    }

    /// Writes an object. If the key exists, its object is replaced atomically.
    /// - Parameter headers: headers of the object, such as Content-Type.
    package func put(
        _ key: String, _ content: [UInt8], headers: [(name: String, value: String)]
    ) throws(ObjectStoreError) {
        let check = (name: "Content-MD5", value: MD5(of: content).base64)
        _ = try send(S3Request(method: "PUT", key: key, headers: headers + [check], body: .bytes(content)))
    }

    /// - Returns: nil if the store has no such object.
    func ifFound<Value>(_ work: () throws(ObjectStoreError) -> Value) throws(ObjectStoreError) -> Value? {
        do throws(ObjectStoreError) {
            return try work()
        } catch  where error.isNotFound {
            return nil
        }
    }

    /// All objects whose keys begin with a prefix.
    /// - Parameters:
    ///   - onlyTop: whether keys with a "/" after the prefix are left out.
    ///   - onlyFirst: whether the objects of one response are enough, which are at most 1,000.
    package func list(
        _ prefix: String, onlyTop: Bool = false, onlyFirst: Bool = false
    ) throws(ObjectStoreError) -> [Object] {
        var objects: [Object] = []
        // The keys are requested in percent-encoding, because they can have characters that XML does not allow.
        var query = ["encoding-type": "url", "list-type": "2", "prefix": prefix]
        if onlyTop { query["delimiter"] = "/" }
        while true {
            let answer = try ResponseElement(send(S3Request(method: "GET", query: query)).body)
            guard let answer, answer.name == "ListBucketResult" else {
                throw .unexpectedResponse("a list of objects")
            }
            let isEncoded = answer["EncodingType"] == "url"
            for entry in answer.children where entry.name == "Contents" {
                guard let text = entry["Key"], let key = isEncoded ? Self.decoded(text) : text,
                    let bytes = entry["Size"].flatMap({ Int64($0) })
                else { throw .unexpectedResponse("a list of objects") }
                let tag = entry["ETag"] ?? ""
                objects.append(
                    Object(key: key, bytes: bytes, tag: tag.trimmingCharacters(in: CharacterSet(charactersIn: "\""))))
            }
            guard answer["IsTruncated"] == "true", !onlyFirst else { return objects }
            guard let token = answer["NextContinuationToken"], !token.isEmpty, token != query["continuation-token"]
            else { throw .unexpectedResponse("a list of objects that says how it goes on") }
            query["continuation-token"] = token
        }
    }

    /// Decodes a key of a listing with encoding-type=url, in which a space is "+".
    private static func decoded(_ text: String) -> String? {
        text.replacing("+", with: "%20").removingPercentEncoding
    }

    /// Removes objects in any order. An object that does not exist is no error.
    package func remove(_ keys: [String]) throws(ObjectStoreError) {
        var rest = keys[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.keysPerRemoval)
            rest = rest.dropFirst(part.count)
            let body = Array(
                ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
                    + "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>"
                    + part.map { "<Object><Key>\(Self.escaped($0))</Key></Object>" }.joined() + "</Delete>").utf8)
            let request = S3Request(
                method: "POST", query: ["delete": ""],
                headers: [("Content-MD5", MD5(of: body).base64), ("Content-Type", "application/xml")],
                body: .bytes(body))
            _ = try attempts().run { () throws(ObjectStoreError) in
                let response = try sendOnce(request)
                if response.isSuccess { try Self.checkRemoval(response) }
                return response
            }
        }
    }

    /// - Throws: the error of one of the keys. A store can send the status 200 before it notices an error.
    private static func checkRemoval(_ response: HTTPResponse) throws(ObjectStoreError) {
        guard let answer = ResponseElement(response.body), answer.name == "DeleteResult" else {
            throw .unexpectedResponse("a result of the removal")
        }
        if let failure = answer.children.first(where: { $0.name == "Error" }) {
            throw .refused(status: 200, code: failure["Code"] ?? "", message: failure["Message"] ?? "")
        }
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Calls `work` for each item, for several at the same time, and stops after the first error.
    package func forEach<Item: Sendable>(
        _ items: [Item], _ work: @escaping @Sendable (Item) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        try ConcurrentWork.forEach(items, limit: Self.parallelRequests, work)
    }

    /// Sends a request, several times if it fails for a reason that may pass.
    /// - Returns: a response that reports success.
    func send(_ request: S3Request, into sink: ResponseSink = .memory) throws(ObjectStoreError) -> HTTPResponse {
        try attempts().run { () throws(ObjectStoreError) in
            try sendOnce(request, into: sink)
        }
    }

    func attempts(retriesConflicts: Bool = true) -> RequestAttempts {
        RequestAttempts(isCancelled: isCancelled, retriesConflicts: retriesConflicts)
    }

    /// Sends a request once.
    /// - Parameter end: when the request is given up, even if it was cancelled before. Nil for a request that a
    ///   cancellation ends.
    /// - Returns: a response, which may report an error.
    func sendOnce(
        _ request: S3Request, into sink: ResponseSink = .memory, until end: ContinuousClock.Instant? = nil
    ) throws(ObjectStoreError) -> HTTPResponse {
        let date = now()
        let signer = RequestSigner(credentials: try credentials.valid(), region: region, service: "s3")
        let query = request.canonicalQuery
        let subject = RequestSigner.Subject(
            method: request.method, host: address.host, path: address.path + request.path, query: query,
            headers: request.headers, bodyDigest: request.body.digest.hex)
        let signed = HTTPRequest(
            method: request.method, url: address.origin + subject.path + (query.isEmpty ? "" : "?" + query),
            headers: signer.headers(for: subject, at: date), body: request.body, date: date)
        if let end { return try HTTPConnection(certificates: certificates) { .now >= end }.send(signed, into: sink) }
        let connection: HTTPConnection
        if let free = idle.withLock({ $0.popLast() }) {
            connection = free
        } else {
            connection = try HTTPConnection(certificates: certificates, isCancelled: isCancelled)
        }
        let response = try connection.send(signed, into: sink)
        idle.withLock { $0.append(connection) }
        return response
    }
}

/// The URL of a bucket in parts.
struct BucketURL {
    /// The scheme and the host: "https://photos.s3.eu-central-1.amazonaws.com".
    let origin: String
    /// The value of the header Host, as libcurl makes it: without the port if that is the scheme's.
    let host: String
    /// The path without a slash at its end, encoded.
    let path: String

    init(_ url: String) {
        let scheme = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[scheme...].firstIndex(of: "/") ?? url.endIndex
        let authority = url[scheme..<end].lowercased()
        origin = String(url[..<scheme]).lowercased() + authority
        path = String(url[end...])
        let port = origin.hasPrefix("https") ? ":443" : ":80"
        host = authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
    }
}
