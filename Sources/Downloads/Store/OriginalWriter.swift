internal import PhotoModel

/// An original that is being written into the store: a temporary file, and the digest of the bytes written so far.
struct OriginalWriter: ~Copyable {
    private let file: TemporaryFile
    private var hasher = ContentHasher()
    private var buffer: [UInt8] = []
    private(set) var bytes: Int64 = 0

    /// The size of the buffer in bytes. libcurl delivers pieces of at most 16 KB, several of which are written
    /// together.
    private static let bufferSize = 48 * 1024

    private static let pieceSize = 256 * 1024

    init(in store: OriginalStore) throws(DownloadsError) {
        file = try TemporaryFile(in: store.temporaryFolder)
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Continues the file of an earlier writer. The file is read once from its start, because the digest covers all of
    /// it.
    ///
    /// - Returns: nil if the file does not have the size and the digest that the earlier writer left.
    init?(continuing file: TemporaryFile, after start: StoredOriginal) throws(DownloadsError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { piece.deallocate() }
        var hasher = ContentHasher()
        var bytes: Int64 = 0
        while true {
            let count = try file.read(into: piece)
            guard count > 0 else { break }
            let read = UnsafeRawBufferPointer(rebasing: piece[..<count])
            hasher.update(read.bytes)
            bytes += Int64(count)
        }
        guard bytes == start.bytes, hasher.digestSoFar() == start.digest else { return nil }
        self.file = file
        self.hasher = hasher
        self.bytes = bytes
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// The first bytes that an earlier writer left, at most `count`.
    func firstBytes(_ count: Int) throws(DownloadsError) -> [UInt8] { try file.firstBytes(count) }

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

    /// Writes the rest of the buffer. The file is complete after this, but neither durable nor under its final name.
    consuming func finish() throws(DownloadsError) -> StagedOriginal {
        try flush()
        return StagedOriginal(file: file, original: StoredOriginal(digest: hasher.finish(), bytes: bytes))
    }

    private mutating func flush() throws(DownloadsError) {
        guard !buffer.isEmpty else { return }
        try buffer.span.bytes.withUnsafeBytes { bytes throws(DownloadsError) in try file.write(bytes) }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// A complete original that still has its temporary name.
struct StagedOriginal: Sendable {
    let file: TemporaryFile
    let original: StoredOriginal
}
