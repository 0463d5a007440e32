internal import Foundation

/// A shared store in a bucket of an S3 server. Objects are created with `If-None-Match: *`, so that the first object of
/// a key stays.
package struct S3Store: SharedStore {
    package let shown: String
    package var parallelRequests: Int { S3Client.parallelRequests }
    private let client: S3Client
    /// The prefix of all keys, which is empty or ends with a slash.
    private let prefix: String

    /// - Parameters:
    ///   - prefix: the prefix without slashes at its ends, as in `StoreAddress`.
    ///   - isCancelled: a closure that several threads call repeatedly; if it returns true, requests end.
    package init(
        bucket: String, prefix: String, configuration: S3Configuration,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        shown = BucketAddress(name: bucket, prefix: prefix).shown
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
        client = S3Client(configuration, bucket: bucket, isCancelled: isCancelled)
    }

    package func create(_ key: String, _ content: [UInt8]) throws(ObjectStoreError) -> Bool {
        try ObjectKey.check(key)
        do throws(ObjectStoreError) {
            try client.put(prefix + key, content, headers: [("If-None-Match", "*")])
            return true
        } catch {
            if case .refused(412, _, _) = error { return false }
            throw error
        }
    }

    package func create(_ key: String, fromFileAt path: String) throws(ObjectStoreError) -> Bool {
        try ObjectKey.check(key)
        return try create(key, StoreFile(reading: path).read(atMost: .max))
    }

    package func read(_ key: String) throws(ObjectStoreError) -> [UInt8]? {
        try ObjectKey.check(key)
        return try client.get(prefix + key)
    }

    package func read(_ key: String, prefix count: Int) throws(ObjectStoreError) -> [UInt8]? {
        try read(key).map { Array($0.prefix(count)) }
    }

    package func fetch(_ key: String, toFileAt path: String) throws(ObjectStoreError) -> Bool {
        guard let content = try read(key) else { return false }
        let partial = TemporaryNames.path(beside: path)
        var file = try StoreFile(creating: partial)
        defer { unlink(partial) }
        try file.write(content)
        try file.close()
        guard try LinkFailure.install(partial, as: path) else { throw .file(path: path, errno: EEXIST) }
        return true
    }

    package func list(_ prefix: String) throws(ObjectStoreError) -> [StoredObject] {
        try ObjectKey.check(prefix: prefix)
        return try client.list(self.prefix + prefix).map {
            StoredObject(key: String($0.key.dropFirst(self.prefix.count)), bytes: $0.bytes)
        }
        .sorted { $0.key < $1.key }
    }
}
