internal import Foundation
internal import ObjectStore
internal import PhotoModel
internal import Site
internal import Synchronization

/// A bucket of an S3 store as a target. The store replaces each object atomically.
package final class S3Target: PublishTarget {
    package let shown: String
    package let identity: String
    private let client: S3Client
    /// The prefix of all keys, which is empty or ends with a slash.
    private let prefix: String
    private let isCancelled: @Sendable () -> Bool

    /// The header with the SHA-256 of an object's content. Entity tags are not digests in every store.
    private static let digestHeader = "x-amz-meta-sha256"

    /// - Parameters:
    ///   - prefix: the prefix without slashes at its ends, as in `TargetAddress`.
    ///   - environment: the environment variables, of which those of the AWS tools are used.
    ///   - home: the folder with `.aws` in it.
    package init(
        bucket: String, prefix: String, environment: [String: String], home: String?,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(PublishError) {
        shown = TargetAddress.bucket(bucket, prefix: prefix).shown
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
        self.isCancelled = isCancelled
        do throws(ObjectStoreError) {
            let configuration = try S3Configuration(environment: environment, home: home)
            // Buckets of the same name can exist in several stores.
            identity = "\(configuration.address(ofBucket: bucket))/\(self.prefix)"
            client = S3Client(configuration, bucket: bucket, isCancelled: isCancelled)
        } catch {
            throw .refused(target: shown, detail: error.message)
        }
    }

    package func readList() throws(PublishError) -> [UInt8]? {
        try reporting { () throws(ObjectStoreError) in try client.get(prefix + PublishedList.fileName) }
    }

    package func isStore() throws(PublishError) -> Bool {
        let records = prefix + StoreRecords.prefix
        let objects = try reporting { () throws(ObjectStoreError) in try client.list(records, onlyFirst: true) }
        return objects.contains { StoreRecords.isRecord($0.key.dropFirst(records.count)) }
    }

    package func writeList(_ bytes: [UInt8]) throws(PublishError) {
        try reporting { () throws(ObjectStoreError) in
            try client.put(
                prefix + PublishedList.fileName, bytes,
                headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")])
        }
    }

    package func find(_ files: [OutgoingFile]) throws(PublishError) -> [String: Presence] {
        var there: [String: S3Client.Object] = [:]
        try reporting { () throws(ObjectStoreError) in
            // Other folders of the bucket are not listed, because they can be large.
            var objects = try client.list(prefix, onlyTop: true)
            for name in Set(files.compactMap { $0.path.split(separator: "/").dropLast().first }) {
                objects += try client.list("\(prefix)\(name)/")
            }
            for object in objects { there[String(object.key.dropFirst(prefix.count))] = object }
        }
        var found: [String: Presence] = [:]
        for file in files { found[file.path] = try presence(of: file, there[file.path]) }
        return found
    }

    private func presence(of file: OutgoingFile, _ object: S3Client.Object?) throws(PublishError) -> Presence {
        guard let object else { return .absent }
        guard object.bytes == file.bytes else { return .different }
        guard let digest = file.digest else { return .same }
        if try MD5(of: Self.content(of: file)).hex == object.tag { return .same }
        let noted = try reporting { () throws(ObjectStoreError) in
            try client.header(Self.digestHeader, of: object.key)
        }
        return noted == digest.hex ? .same : .different
    }

    package func send(_ files: [OutgoingFile], sent: (OutgoingFile) -> Void) throws(PublishError) {
        let problem = Mutex<PublishError?>(nil)
        let done = Mutex<[OutgoingFile]>([])
        let (client, prefix) = (client, prefix)
        // Files are sent in batches, so that this thread can report the progress between them.
        for part in stride(from: 0, to: files.count, by: 64).map({ files[$0..<min($0 + 64, files.count)] }) {
            do throws(ObjectStoreError) {
                try client.forEach(Array(part)) { (file) throws(ObjectStoreError) in
                    let content: [UInt8]
                    do throws(PublishError) {
                        content = try Self.content(of: file)
                    } catch {
                        problem.withLock { $0 = error }
                        throw .interrupted
                    }
                    try client.put(prefix + file.path, content, headers: Self.headers(of: file, content))
                    done.withLock { $0.append(file) }
                }
            } catch {
                throw problem.withLock { $0 } ?? publishError(for: error)
            }
            for file in done.withLock({ files in
                defer { files = [] }
                return files
            }) { sent(file) }
        }
    }

    /// - Throws: `PublishError.changed` if the file is not as the last build wrote it.
    private static func content(of file: OutgoingFile) throws(PublishError) -> [UInt8] {
        let content: [UInt8]
        do throws(SiteError) {
            content = try OpenFile(reading: file.source).readAll()
        } catch {
            throw .unreadable(path: file.source, detail: error.reason)
        }
        guard Int64(content.count) == file.bytes, file.digest == nil || file.digest == Digest(of: content) else {
            throw .changed(path: file.source)
        }
        return content
    }

    private static func headers(of file: OutgoingFile, _ content: [UInt8]) -> [(name: String, value: String)] {
        [
            ("Content-Type", FileHeaders.contentType(of: file.path)),
            ("Cache-Control", FileHeaders.cacheControl(of: file.path)),
            (digestHeader, (file.digest ?? Digest(of: content)).hex),
        ]
    }

    package func remove(_ paths: [String]) throws(PublishError) {
        // A store removes the objects of one request in any order.
        for step in RemovalOrder.steps(paths) {
            try reporting { () throws(ObjectStoreError) in try client.remove(step.map { prefix + $0 }) }
        }
    }

    private func reporting<Value>(
        _ work: () throws(ObjectStoreError) -> Value
    ) throws(PublishError) -> Value {
        do throws(ObjectStoreError) { return try work() } catch { throw publishError(for: error) }
    }

    private func publishError(for error: ObjectStoreError) -> PublishError {
        error == .interrupted ? .interrupted : .refused(target: shown, detail: error.message)
    }
}
