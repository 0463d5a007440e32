/// A store that all machines of a distributed build can reach. An object is created once, and never changes.
///
/// Keys have the characters `[A-Za-z0-9/._-]`, as `ObjectKey` checks. Every method can be called by several threads at
/// the same time.
package protocol SharedStore: Sendable {
    /// The store's address, for messages.
    var shown: String { get }

    /// Creates an object, completely or not at all. It is durable when the method returns.
    /// - Returns: false if the key has an object already, which stays as it is.
    func create(_ key: String, _ content: [UInt8]) throws(ObjectStoreError) -> Bool

    /// Creates an object from a file, completely or not at all. It is durable when the method returns.
    /// - Parameter path: a file that nobody changes later, because it may become the object by a hard link.
    /// - Returns: false if the key has an object already, which stays as it is.
    func create(_ key: String, fromFileAt path: String) throws(ObjectStoreError) -> Bool

    /// Reads an object into memory.
    /// - Returns: nil if there is no such object.
    func read(_ key: String) throws(ObjectStoreError) -> [UInt8]?

    /// Reads the beginning of an object.
    /// - Parameter count: the number of bytes, at least 1. An object with fewer bytes is read as a whole.
    /// - Returns: nil if there is no such object.
    func read(_ key: String, prefix count: Int) throws(ObjectStoreError) -> [UInt8]?

    /// Writes the content of an object to a file that does not exist, completely or not at all. The file is not
    /// synchronised.
    /// - Returns: false if there is no such object.
    func fetch(_ key: String, toFileAt path: String) throws(ObjectStoreError) -> Bool

    /// All objects whose keys begin with a prefix, sorted by key. Keys are relative to the store.
    /// - Parameter prefix: the beginning of a key, which may end inside a name; empty for all objects.
    func list(_ prefix: String) throws(ObjectStoreError) -> [StoredObject]

    /// Whether a list of some keys takes only a part of the time of a list of all.
    var listsNarrowly: Bool { get }

    /// The number of operations that suits the store at the same time.
    var parallelRequests: Int { get }
}

extension SharedStore {
    /// Calls `work` for each item, for `parallelRequests` at the same time, and stops after the first error.
    package func forEach<Item: Sendable>(
        _ items: [Item], _ work: @escaping @Sendable (Item) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        try ConcurrentWork.forEach(items, limit: parallelRequests, work)
    }
}

/// An object as a listing shows it.
package struct StoredObject: Hashable, Sendable {
    package let key: String
    package let bytes: Int64

    package init(key: String, bytes: Int64) {
        self.key = key
        self.bytes = bytes
    }
}

/// The rules for keys of a shared store. Every file system and every S3 server can have these names, and no server
/// encodes them in another way than the signature does.
enum ObjectKey {
    /// The most bytes in a key. S3 allows 1,024 with the store's prefix.
    static let maxBytes = 768
    /// The most bytes in a part of a key, which is a file name in a folder.
    static let maxPartBytes = 255

    /// - Throws: `ObjectStoreError.key` unless `key` has only the characters `[A-Za-z0-9/._-]`, and each of its parts
    ///   is a name that does not begin with a dot.
    static func check(_ key: String) throws(ObjectStoreError) { if !isValid(key) { throw .key(key) } }

    static func isValid(_ key: String) -> Bool {
        key.utf8.count <= maxBytes && key.utf8.allSatisfy(isAllowed)
            && key.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy(isName)
    }

    /// - Throws: `ObjectStoreError.key` unless `prefix` is the beginning of a key.
    static func check(prefix: String) throws(ObjectStoreError) {
        // Any letter completes the beginning of a key to a key.
        if !isValid(prefix + "x") { throw .key(prefix) }
    }

    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func isName(_ part: Substring.UTF8View) -> Bool {
        part.first != nil && part.first != UInt8(ascii: ".") && part.count <= maxPartBytes
    }
}
