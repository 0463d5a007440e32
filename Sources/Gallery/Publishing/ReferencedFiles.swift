internal import Ledger

/// A hash of the name of a picture file: 64 bits, because a large gallery has hundreds of thousands of names. The names
/// themselves hold as many bits of their recipe's digest, so hashes collide no more often than names do.
struct FileNameHash: Hashable {
    private let hash: Int

    init(_ name: String) {
        var name = name
        self = name.withUTF8 { FileNameHash(UnsafeRawBufferPointer($0)) }
    }

    /// - Parameter name: UTF-8.
    init(_ name: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        hash = hasher.finalize()
    }
}

/// Names of picture files that are needed. One that is not may be taken for one of them, and its file then stays
/// until another process looks; the other way round is not possible.
struct ReferencedFiles {
    private var names: Set<FileNameHash> = []

    /// - Parameter expected: how many are to be added about.
    init(_ first: Set<String>, expected: Int) {
        names.reserveCapacity(first.count + expected)
        for name in first { names.insert(FileNameHash(name)) }
    }

    mutating func insert(_ pictures: [PublishedPicture]) {
        for picture in pictures { names.insert(FileNameHash(picture.fileName)) }
    }

    /// - Parameter name: UTF-8.
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { names.contains(FileNameHash(name)) }
}
