internal import CLibCurl
internal import CLibXML2
internal import Foundation
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

    private let configuration: S3Configuration
    private let bucket: String
    private let isCancelled: @Sendable () -> Bool
    /// The connections that no request is using.
    private let idle = Mutex<[S3Connection]>([])

    /// The number of concurrent requests, which is enough for the round trips to a distant store.
    static let parallelRequests = 16
    private static let maxAttempts = 4
    /// The most keys in one DeleteObjects request.
    private static let keysPerRemoval = 1_000

    /// - Parameter isCancelled: a closure that several threads call repeatedly; if it returns true, requests end.
    package init(
        _ configuration: S3Configuration, bucket: String, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.configuration = configuration
        self.bucket = bucket
        self.isCancelled = isCancelled
        Self.initialize
    }

    /// libcurl and libxml2 must be initialised once, before threads use them.
    private static let initialize: Void = {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        xmlInitParser()
    }()

    /// Reads an object.
    /// - Returns: nil if the object does not exist.
    package func get(_ key: String) throws(ObjectStoreError) -> [UInt8]? {
        do throws(ObjectStoreError) {
            return try send(SignedRequest(method: "GET", key: key)).body
        } catch  where error.isNotFound {
            return nil
        }
    }

    /// The value of a header of an object.
    /// - Returns: nil if the object or the header does not exist.
    package func header(_ name: String, of key: String) throws(ObjectStoreError) -> String? {
        do throws(ObjectStoreError) {
            return try send(SignedRequest(method: "HEAD", key: key)).headers[name]
        } catch  where error.isNotFound {
            return nil
        }
    }

    /// Writes an object. If the key exists, its object is replaced atomically.
    /// - Parameter headers: headers of the object, such as Content-Type.
    package func put(
        _ key: String, _ content: [UInt8], headers: [(name: String, value: String)]
    ) throws(ObjectStoreError) {
        let check = (name: "Content-MD5", value: MD5(of: content).base64)
        _ = try send(SignedRequest(method: "PUT", key: key, headers: headers + [check], body: content))
    }

    /// All objects whose keys begin with a prefix.
    /// - Parameter onlyTop: whether keys with a "/" after the prefix are left out.
    package func list(_ prefix: String, onlyTop: Bool = false) throws(ObjectStoreError) -> [Object] {
        var objects: [Object] = []
        // The keys are requested in percent-encoding, because they can have characters that XML does not allow.
        var query = ["encoding-type": "url", "list-type": "2", "prefix": prefix]
        if onlyTop { query["delimiter"] = "/" }
        while true {
            let answer = try ResponseElement(send(SignedRequest(method: "GET", query: query)).body)
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
            guard answer["IsTruncated"] == "true" else { return objects }
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
            let response = try send(
                SignedRequest(
                    method: "POST", query: ["delete": ""],
                    headers: [("Content-MD5", MD5(of: body).base64), ("Content-Type", "application/xml")], body: body))
            // A store can send status 200 before it notices an error.
            guard let answer = ResponseElement(response.body), answer.name == "DeleteResult" else {
                throw .unexpectedResponse("a result of the removal")
            }
            if let failure = answer.children.first(where: { $0.name == "Error" }) {
                throw .refused(status: 200, code: failure["Code"] ?? "", message: failure["Message"] ?? "")
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Calls `work` for each item, for several at the same time, and stops after the first error.
    package func forEach<Item: Sendable>(
        _ items: [Item], _ work: @escaping @Sendable (Item) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        try ConcurrentWork.forEach(items, limit: Self.parallelRequests, work)
    }

    private func send(_ request: SignedRequest) throws(ObjectStoreError) -> S3Connection.Response {
        var pause = 0.2
        for attempt in 1... {
            do throws(ObjectStoreError) {
                return try sendOnce(request)
            } catch  where error.isTransient && attempt < Self.maxAttempts {
                // The pauses are random, so that the requests are not repeated at the same moment. They are cut into
                // pieces, because a cancellation can only be polled.
                let end = Date(timeIntervalSinceNow: pause * Double.random(in: 0.5...1.5))
                while Date() < end {
                    if isCancelled() { throw .interrupted }
                    Thread.sleep(forTimeInterval: 0.05)
                }
                pause *= 3
            }
        }
        throw .interrupted
    }

    private func sendOnce(_ request: SignedRequest) throws(ObjectStoreError) -> S3Connection.Response {
        let connection: S3Connection
        if let free = idle.withLock({ $0.popLast() }) {
            connection = free
        } else {
            connection = try S3Connection(
                configuration, address: configuration.address(ofBucket: bucket), isCancelled: isCancelled)
        }
        let response = try connection.send(request)
        idle.withLock { $0.append(connection) }
        guard (200..<300).contains(response.status) else { throw Self.failure(response) }
        return response
    }

    private static func failure(_ response: S3Connection.Response) -> ObjectStoreError {
        let answer = ResponseElement(response.body)
        var message = answer?["Message"] ?? ""
        if let region = response.headers["x-amz-bucket-region"], (300..<500).contains(response.status) {
            message += (message.isEmpty ? "" : " ") + "The bucket is in the region \(region); set AWS_REGION."
        }
        return .refused(status: response.status, code: answer?["Code"] ?? "", message: message)
    }
}
