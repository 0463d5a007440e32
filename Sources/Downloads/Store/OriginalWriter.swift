internal import PhotoModel

/// An original on its way into the store: a temporary file, and the digest of what has been written to it.
struct OriginalWriter: ~Copyable {
    private let file: TemporaryFile
    private var hasher = ContentHasher()
    private var buffer: [UInt8] = []
    private(set) var bytes: Int64 = 0

    /// What libcurl brings comes in pieces of at most 16 KB; some of them go to the disk at once.
    private static let bufferSize = 48 * 1024

    init(in store: OriginalStore) throws(DownloadsError) {
        file = try TemporaryFile(in: store.temporaryFolder)
        buffer.reserveCapacity(Self.bufferSize)
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) throws(DownloadsError) {
        hasher.update(piece.bytes)
        bytes += Int64(piece.count)
        if buffer.count + piece.count > Self.bufferSize { try flush() }
        if piece.count >= Self.bufferSize {
            try file.write(piece)
        } else {
            buffer.append(contentsOf: piece)
        }
    }

    /// Writes what is left. The file is complete after this, but neither durable nor in the store.
    consuming func finish() throws(DownloadsError) -> WrittenOriginal {
        try flush()
        return WrittenOriginal(file: file, original: StoredOriginal(digest: hasher.finish(), bytes: bytes))
    }

    private mutating func flush() throws(DownloadsError) {
        guard !buffer.isEmpty else { return }
        try buffer.span.bytes.withUnsafeBytes { bytes throws(DownloadsError) in try file.write(bytes) }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A complete original that still has its temporary name.
struct WrittenOriginal: Sendable {
    let file: TemporaryFile
    let original: StoredOriginal
}
