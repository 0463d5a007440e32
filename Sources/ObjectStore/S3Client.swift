internal import CLibCurl
internal import CLibXML2
internal import Foundation
internal import Synchronization

/// A bucket of an S3 store: objects are put, read, listed and removed there.
package final class S3Client: Sendable {
    /// An object as a list shows it.
    package struct Object: Hashable, Sendable {
        package let key: String
        package let bytes: Int64
        /// The entity tag without its quotes: mostly the MD5 of the content.
        package let tag: String
    }

    private let configuration: S3Configuration
    private let bucket: String
    private let isCancelled: @Sendable () -> Bool
    /// Connections that no request uses.
    private let idle = Mutex<[S3Connection]>([])

    /// Requests at once: enough for the round trips of a store far away.
    private static let parallelRequests = 16
    private static let tries = 4
    /// The most keys in one request to remove some.
    private static let keysPerRemoval = 1_000

    /// - Parameter isCancelled: asked all the time, from several threads.
    package init(
        _ configuration: S3Configuration, bucket: String, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.configuration = configuration
        self.bucket = bucket
        self.isCancelled = isCancelled
        Self.initialize
    }

    /// libcurl and libxml2 have to be set up once, before the first thread uses them.
    private static let initialize: Void = {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        xmlInitParser()
    }()

    /// - Returns: nil if there is no such object.
    package func get(_ key: String) throws(ObjectStoreError) -> [UInt8]? {
        do throws(ObjectStoreError) {
            return try send(SignedRequest(method: "GET", key: key)).body
        } catch  where error.isNotFound {
            return nil
        }
    }

    /// The value of a header of an object.
    /// - Returns: nil if there is no such object or header.
    package func header(_ name: String, of key: String) throws(ObjectStoreError) -> String? {
        do throws(ObjectStoreError) {
            return try send(SignedRequest(method: "HEAD", key: key)).headers[name]
        } catch  where error.isNotFound {
            return nil
        }
    }

    /// Puts an object in the place of what has its key; readers get the one or the other, whole.
    /// - Parameter headers: such as Content-Type.
    package func put(
        _ key: String, _ content: [UInt8], headers: [(name: String, value: String)]
    ) throws(ObjectStoreError) {
        let check = (name: "Content-MD5", value: MD5(of: content).base64)
        _ = try send(SignedRequest(method: "PUT", key: key, headers: headers + [check], body: content))
    }

    /// All objects whose keys begin with a prefix.
    /// - Parameter onlyTop: leaves out those with a "/" after the prefix.
    package func list(_ prefix: String, onlyTop: Bool = false) throws(ObjectStoreError) -> [Object] {
        var objects: [Object] = []
        var query = ["list-type": "2", "prefix": prefix]
        if onlyTop { query["delimiter"] = "/" }
        while true {
            let answer = try AnswerElement(send(SignedRequest(method: "GET", query: query)).body)
            guard let answer, answer.name == "ListBucketResult" else {
                throw .refused(status: 200, code: "", message: "the answer is no list of objects")
            }
            for entry in answer.children where entry.name == "Contents" {
                guard let key = entry["Key"], let bytes = entry["Size"].flatMap({ Int64($0) }) else { continue }
                let tag = entry["ETag"] ?? ""
                objects.append(
                    Object(key: key, bytes: bytes, tag: tag.trimmingCharacters(in: CharacterSet(charactersIn: "\""))))
            }
            guard answer["IsTruncated"] == "true", let token = answer["NextContinuationToken"] else { return objects }
            query["continuation-token"] = token
        }
    }

    /// Removes objects, in this order; it is no error if one has gone.
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
            let failure = AnswerElement(response.body)?.children.first { $0.name == "Error" }
            if let failure {
                throw .refused(status: 200, code: failure["Code"] ?? "", message: failure["Message"] ?? "")
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// How far `forEach` is.
    private struct Progress {
        var next = 0
        var failure: ObjectStoreError?
    }

    /// Does something for each of some items, several at once. Stops at the first error.
    package func forEach<Item: Sendable>(
        _ items: [Item], _ work: @escaping @Sendable (Item) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        let state = Mutex(Progress())
        let group = DispatchGroup()
        for _ in 0..<min(Self.parallelRequests, items.count) {
            group.enter()
            // A thread of its own, as Dispatch has no more of them than the machine has cores for such work.
            Thread.detachNewThread {
                defer { group.leave() }
                while true {
                    let index: Int? = state.withLock { state in
                        guard state.failure == nil, state.next < items.count else { return nil }
                        defer { state.next += 1 }
                        return state.next
                    }
                    guard let index else { return }
                    do throws(ObjectStoreError) {
                        try work(items[index])
                    } catch {
                        state.withLock { $0.failure = $0.failure ?? error }
                    }
                }
            }
        }
        group.wait()
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func send(_ request: SignedRequest) throws(ObjectStoreError) -> S3Connection.Response {
        var pause = 0.2
        for attempt in 1... {
            do throws(ObjectStoreError) {
                return try sendOnce(request)
            } catch  where error.isTransient && attempt < Self.tries {
                // Not all at the same moment again.
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
        let answer = AnswerElement(response.body)
        var message = answer?["Message"] ?? ""
        if let region = response.headers["x-amz-bucket-region"], (300..<500).contains(response.status) {
            message += (message.isEmpty ? "" : " ") + "The bucket is in the region \(region); set AWS_REGION."
        }
        return .refused(status: response.status, code: answer?["Code"] ?? "", message: message)
    }
}
