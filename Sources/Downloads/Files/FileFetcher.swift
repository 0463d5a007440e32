internal import Foundation
internal import PhotoModel

/// Copies local files into the store, a few at a time, away from the transfer thread.
final class FileFetcher: Sendable {
    private let store: OriginalStore
    private let maxBytes: Int64
    private let check: ContentCheck?
    /// The start of the build in nanoseconds since 1970. No file is read before it.
    private let startedAt: Int64
    private let fetches: RequestCoalescer
    private let tally: TransferTally
    private let readers = WorkerPool(label: "downloads.files", width: 4)

    /// The size of a read in bytes: large enough to be fast, small enough for a cancellation to take effect at once.
    private static let pieceSize = 256 * 1024

    /// - Parameter check: decides from their first bytes which files are copied; nil accepts any.
    init(
        store: OriginalStore, maxBytes: Int64, check: ContentCheck?, startedAt: Int64, fetches: RequestCoalescer,
        tally: TransferTally
    ) {
        self.store = store
        self.maxBytes = maxBytes
        self.check = check
        self.startedAt = startedAt
        self.fetches = fetches
        self.tally = tally
    }

    func start(_ wanted: Fetch, path: String, source: Source, known: CachedOriginal?) {
        readers.submit { [self] in
            guard fetches.isWanted(wanted) else { return }
            fetches.finish(wanted, with: fetch(wanted, path: path, source: source, known: known))
        }
    }

    func suspend() { readers.suspend() }

    func resume() { readers.resume() }

    /// Returns when no file is being read any more. The fetches must be cancelled before.
    func stop() {
        readers.discardWaiting()
        readers.waitUntilIdle()
    }

    private func fetch(_ wanted: Fetch, path: String, source: Source, known: CachedOriginal?) -> FetchOutcome {
        do throws(Failure) {
            if let known, let stamp = known.metadata.file, store.contains(known.original),
                try LocalFile.stamp(path: path, source: source) == stamp
            {
                return .unchanged(known)
            }
            switch try LocalFile.open(path: path, source: source) {
            case .opened(let file): return try copy(file, known: known) { fetches.isWanted(wanted) }
            case .tooManyOpenFiles(let code): return .storeFailed(.write(path: path, errno: code))
            }
        } catch {
            return .failed(error)
        }
    }

    private func copy(
        _ file: consuming LocalFile, known: CachedOriginal?, while isWanted: () -> Bool
    ) throws(Failure) -> FetchOutcome {
        let stamp = try file.stamp
        guard stamp.size <= maxBytes else { throw .tooLarge(limit: maxBytes) }
        tally.add { $0.filesRead += 1 }
        if let check, let failure = check.failure(try file.firstBytes(check.inspectedBytes)) { throw failure }
        var writer: OriginalWriter
        do { writer = try OriginalWriter(in: store) } catch { return .storeFailed(error) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { piece.deallocate() }
        while isWanted() {
            let count = try file.read(into: piece)
            guard count > 0 else { return try finish(writer, of: file, opened: stamp, known: known) }
            // The bytes are counted as they are read, because the file may be growing.
            guard writer.bytes + Int64(count) <= maxBytes else { throw .tooLarge(limit: maxBytes) }
            do {
                try writer.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            } catch {
                return .storeFailed(error)
            }
        }
        return .cancelled
    }

    private func finish(
        _ writer: consuming OriginalWriter, of file: borrowing LocalFile, opened stamp: FileStamp,
        known: CachedOriginal?
    ) throws(Failure) -> FetchOutcome {
        guard writer.bytes > 0 else { throw .notAnImage(.empty) }
        // The stamp proves nothing if the file was written to while it was read, or so recently that another write
        // could leave the stamp unchanged.
        let isSettled = try file.stamp == stamp && stamp.detectsChanges(after: startedAt)
        do {
            let written = try writer.finish()
            let found = CachedOriginal(
                original: written.original, metadata: CacheMetadata(file: isSettled ? stamp : nil))
            return store.store(written, answering: .stored(found))
        } catch {
            return .storeFailed(error)
        }
    }
}
