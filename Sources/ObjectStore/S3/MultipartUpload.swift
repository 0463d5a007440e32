internal import Foundation

/// The sizes of uploads, in bytes.
package struct UploadSizes: Sendable {
    /// A larger file is sent in parts.
    package var maxBytesInOneRequest: Int64 = 64 << 20
    /// The size of a part, which S3 requires to be at least 5 MiB. The parts of huge files are larger.
    package var part: Int64 = 16 << 20

    package init() {}

    /// The most parts that S3 allows.
    private static let maxParts: Int64 = 10_000

    func part(ofFileWith bytes: Int64) -> Int64 { max(part, (bytes + Self.maxParts - 1) / Self.maxParts) }
}

/// The creation of a large object in parts (CreateMultipartUpload, UploadPart, CompleteMultipartUpload). Nobody sees
/// the object before it is complete.
struct MultipartUpload {
    let client: S3Client
    let key: String
    let file: StoreFile
    let size: Int64
    let sizes: UploadSizes
    let headers: [(name: String, value: String)]
    /// Whether the store is asked to refuse the object if the key has one.
    let isConditional: Bool

    private static let maxAttempts = 3

    /// - Throws: `ObjectStoreError.refused` with the status 412 if the key has an object. The parts of an upload that
    ///   fails are removed, unless the store cannot be reached.
    func run() throws(ObjectStoreError) {
        for attempt in 1... {
            let id = try begin()
            do throws(ObjectStoreError) {
                return try complete(id, tags: send(id))
            } catch {
                client.abort(key, id)
                // An upload that another one for the same key has disturbed must begin again.
                guard error.isConflict, attempt < Self.maxAttempts else { throw error }
            }
        }
    }

    private func begin() throws(ObjectStoreError) -> String {
        let response = try client.send(S3Request(method: "POST", key: key, query: ["uploads": ""], headers: headers))
        guard let id = ResponseElement(response.body)?["UploadId"], !id.isEmpty else {
            throw .unexpectedResponse("one with the number of an upload")
        }
        return id
    }

    /// Sends all parts.
    /// - Returns: their entity tags.
    private func send(_ id: String) throws(ObjectStoreError) -> [String] {
        var tags: [String] = []
        let length = sizes.part(ofFileWith: size)
        for offset in stride(from: 0, to: size, by: Int64.Stride(length)) {
            let count = min(length, size - offset)
            let body = RequestBody.file(
                file, offset: offset, count: count, digest: try file.digest(at: offset, count: count))
            let query = ["partNumber": String(tags.count + 1), "uploadId": id]
            let response = try client.send(S3Request(method: "PUT", key: key, query: query, body: body))
            guard let tag = response.headers["etag"] else { throw .unexpectedResponse("one with an entity tag") }
            tags.append(tag)
        }
        return tags
    }

    private func complete(_ id: String, tags: [String]) throws(ObjectStoreError) {
        let parts = tags.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(S3Client.escaped(tag))</ETag></Part>"
        }
        let text =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + parts.joined()
            + "</CompleteMultipartUpload>"
        let request = S3Request(
            method: "POST", key: key, query: ["uploadId": id],
            headers: [("Content-Type", "application/xml")] + (isConditional ? [("If-None-Match", "*")] : []),
            body: .bytes(Array(text.utf8)))
        do throws(ObjectStoreError) {
            try client.complete(request)
        } catch {
            // The answer to a request before this one may have been lost.
            if case .refused(_, "NoSuchUpload", _) = error, try client.size(of: key) == size { return }
            throw error
        }
    }
}

extension S3Client {
    /// Sends the last request of an upload.
    fileprivate func complete(_ request: S3Request) throws(ObjectStoreError) {
        _ = try attempts(retriesConflicts: false).run { () throws(ObjectStoreError) in
            let response = try sendOnce(request)
            // A store can send the status 200 before it notices an error.
            guard response.isSuccess, ResponseElement(response.body)?.name != "CompleteMultipartUploadResult" else {
                return response
            }
            return response.asFailure
        }
    }

    /// Removes the parts of an upload. A failure leaves them to the rules of the bucket.
    fileprivate func abort(_ key: String, _ id: String) {
        // After a signal, the process ends soon.
        let end: ContinuousClock.Instant? = isCancelled() ? .now + .seconds(1) : nil
        // The upload has failed already, and its own error is the one that is reported.
        _ = try? sendOnce(S3Request(method: "DELETE", key: key, query: ["uploadId": id]), until: end)
    }
}
