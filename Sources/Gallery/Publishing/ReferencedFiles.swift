internal import Ledger

/// A 64-bit hash of the name of a picture file. Hashes are stored because a large gallery has hundreds of thousands of
/// names. A name contains just as many bits of its recipe's digest, so hashes collide no more often than names do.
struct FileNameHash: Hashable {
    private let hash: Int

    init(_ name: String) {
        var name = name
        self = name.withUTF8 { FileNameHash(UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter name: the name in UTF-8.
    init(_ name: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        hash = hasher.finalize()
    }
}

/// The names of the picture files that are needed. If the hash of another name collides with one of them, its file
/// stays until another process prunes, because hashes have another seed in each process. A needed file is never
/// removed.
struct ReferencedFiles {
    private var names: Set<FileNameHash> = []

    /// - Parameter expected: the approximate number of names that will be added.
    init(_ first: Set<String>, expected: Int) {
        names.reserveCapacity(first.count + expected)
        for name in first { names.insert(FileNameHash(name)) }
    }

    mutating func insert(_ pictures: [PublishedPicture]) {
        for picture in pictures { names.insert(FileNameHash(picture.fileName)) }
    }

    /// - Parameter name: the name in UTF-8.
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { names.contains(FileNameHash(name)) }
}
