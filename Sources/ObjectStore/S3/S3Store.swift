package import Foundation
internal import Synchronization

/// A shared store in a bucket of an S3 server. Objects are created with `If-None-Match: *`, so that the first object of
/// a key stays.
package final class S3Store: SharedStore {
    package let shown: String
    package let listsNarrowly = true
    package var parallelRequests: Int { S3Client.parallelRequests }
    private let client: S3Client
    /// The prefix of all keys, which is empty or ends with a slash.
    private let prefix: String
    private let conditions = Mutex(Conditions.unknown)
    private let sizes: UploadSizes

    /// Whether the server refuses `If-None-Match: *` if the key has an object.
    private enum Conditions { case unknown, supported, unsupported }

    /// - Parameters:
    ///   - prefix: the prefix without slashes at its ends, as in `StoreAddress`.
    ///   - isCancelled: a closure that several threads call repeatedly; if it returns true, requests end.
    ///   - now: the time with which requests are signed.
    package init(
        bucket: String, prefix: String, configuration: S3Configuration,
        isCancelled: @escaping @Sendable () -> Bool = { false }, now: @escaping @Sendable () -> Date = { Date() },
        sizes: UploadSizes = UploadSizes()
    ) {
        shown = BucketAddress(name: bucket, prefix: prefix).shown
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
        self.sizes = sizes
        client = S3Client(configuration, bucket: bucket, isCancelled: isCancelled, now: now)
    }

    package func create(_ key: String, _ content: [UInt8]) throws(ObjectStoreError) -> Bool {
        try create(key) { (headers) throws(ObjectStoreError) in
            let request = S3Request(method: "PUT", key: prefix + key, headers: headers, body: .bytes(content))
            _ = try client.send(request)
        }
    }

    package func create(_ key: String, fromFileAt path: String) throws(ObjectStoreError) -> Bool {
        let file = try StoreFile(reading: path)
        let size = try file.size()
        if size > sizes.maxBytesInOneRequest { return try createInParts(key, file, size) }
        let body = RequestBody.file(file, offset: 0, count: size, digest: try file.digest(at: 0, count: size))
        return try create(key) { (headers) throws(ObjectStoreError) in
            _ = try client.send(S3Request(method: "PUT", key: prefix + key, headers: headers, body: body))
        }
    }

    package func read(_ key: String) throws(ObjectStoreError) -> [UInt8]? {
        try ObjectKey.check(key)
        return try client.get(prefix + key)
    }

    package func read(_ key: String, prefix count: Int) throws(ObjectStoreError) -> [UInt8]? {
        try ObjectKey.check(key)
        let request = S3Request(method: "GET", key: prefix + key, headers: [("Range", "bytes=0-\(count - 1)")])
        do throws(ObjectStoreError) {
            return try client.ifFound { () throws(ObjectStoreError) in
                try client.send(request, into: .prefix(count)).body
            }
        } catch {
            // An empty object has no range.
            if error.status == 416 { return [] }
            throw error
        }
    }

    package func fetch(_ key: String, toFileAt path: String) throws(ObjectStoreError) -> Bool {
        try ObjectKey.check(key)
        let partial = TemporaryNames.path(beside: path)
        let file = try StoreFile(creating: partial)
        defer { unlink(partial) }
        let response = try client.ifFound { () throws(ObjectStoreError) in
            try client.send(S3Request(method: "GET", key: prefix + key), into: .file(file))
        }
        guard response != nil else { return false }
        try file.close()
        guard try LinkFailure.install(partial, as: path) else { throw .file(path: path, errno: EEXIST) }
        return true
    }

    package func list(_ prefix: String) throws(ObjectStoreError) -> [StoredObject] {
        try ObjectKey.check(prefix: prefix)
        var objects: [StoredObject] = []
        for object in try client.list(self.prefix + prefix) {
            let key = String(object.key.dropFirst(self.prefix.count))
            // Other programs create objects for folders, whose keys end with a slash.
            if ObjectKey.isValid(key) { objects.append(StoredObject(key: key, bytes: object.bytes)) }
        }
        return objects.sorted { $0.key < $1.key }
    }

    /// Creates an object by `put`, which sends it with some headers.
    private func create(
        _ key: String, _ put: ([(name: String, value: String)]) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) -> Bool {
        try ObjectKey.check(key)
        let headers = ObjectHeaders.all(for: key)
        let support = conditions.withLock { $0 }
        if support != .supported, try client.size(of: prefix + key) != nil { return false }
        guard support != .unsupported else {
            try put(headers)
            return true
        }
        let outcome = try putIfNew(headers, put)
        if support == .unknown && outcome == .exists, try client.size(of: prefix + key) == nil {
            throw .unexpectedResponse("one to If-None-Match: it has no such object")
        }
        if support == .unknown && outcome == .created {
            // Some servers ignore the condition. The second request would store the same content again.
            let isRefused = try putIfNew(headers, put) == .exists
            conditions.withLock { $0 = isRefused ? .supported : .unsupported }
        } else if outcome == .createdWithoutCondition {
            conditions.withLock { $0 = .unsupported }
        }
        return outcome != .exists
    }

    private enum Outcome { case created, createdWithoutCondition, exists }

    /// - Returns: `exists` if the server says that the key has an object. That can be the one of this request, if the
    ///   answer to an attempt was lost.
    private func putIfNew(
        _ headers: [(name: String, value: String)],
        _ put: ([(name: String, value: String)]) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) -> Outcome {
        do throws(ObjectStoreError) {
            try put(headers + [("If-None-Match", "*")])
            return .created
        } catch {
            switch error.status {
            case 412: return .exists
            case 501:
                // The request replaces no object of another worker, because the caller has looked for one.
                try put(headers)
                return .createdWithoutCondition
            default: throw error
            }
        }
    }

    /// Creates a large object. It is looked for first, because the parts would be sent in vain.
    private func createInParts(_ key: String, _ file: StoreFile, _ size: Int64) throws(ObjectStoreError) -> Bool {
        try ObjectKey.check(key)
        guard try client.size(of: prefix + key) == nil else { return false }
        let outcome = try putIfNew(ObjectHeaders.all(for: key)) { (headers) throws(ObjectStoreError) in
            let upload = MultipartUpload(
                client: client, key: prefix + key, file: file, size: size, sizes: sizes,
                headers: headers.filter { $0.name != "If-None-Match" },
                isConditional: headers.contains { $0.name == "If-None-Match" })
            try upload.run()
        }
        return outcome != .exists
    }
}

/// The headers of objects, for browsers that read pictures from the store.
private enum ObjectHeaders {
    private static let contentTypes = [
        "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "json": "application/json",
    ]

    static func all(for key: String) -> [(name: String, value: String)] {
        let ending = key.split(separator: ".").last.map(String.init) ?? ""
        return [
            ("Content-Type", contentTypes[ending] ?? "application/octet-stream"),
            // An object never changes.
            ("Cache-Control", "public, max-age=31536000, immutable"),
        ]
    }
}
