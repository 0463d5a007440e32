import Foundation
import Imaging

/// The bytes of one run as a file that never reaches a disk. Owns the descriptor.
final class FuzzedFile {
    /// Open for reading and writing, behind what was written.
    let descriptor: Int32

    init(_ parts: UnsafeRawBufferPointer...) {
        var name = Array("/dev/shm/fuzzed-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { fatalError("no file in memory: \(String(cString: strerror(errno)))") }
        unlink(name)
        for part in parts {
            guard write(descriptor, part.baseAddress, part.count) == part.count else { fatalError("no memory") }
        }
    }

    deinit { close(descriptor) }

    /// Opens the same bytes from their start, any number of times.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Bytes.
    var length: Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { fatalError("no size: \(String(cString: strerror(errno)))") }
        return Int(status.st_size)
    }

    /// Takes the way of an original as far as pixels in sRGB and their reduction: the header, and all rows at a size
    /// that only the bytes decide. Anything but a picture or an `ImagingError` is a finding.
    func develop(shrink: Int, width: Int) {
        do {
            let decoder = try openPicture(try OriginalFile(path: path), maxPixels: Self.maxPixels)
            let header = decoder.header
            precondition(header.storedWidth * header.storedHeight <= Self.maxPixels, "the limit is kept")
            precondition(header.heldByDecoder <= Self.maxHeld, "what is held is bounded")
            precondition(header.heldInTables <= Self.maxInTables, "tables are bounded")
            let shape = try decoder.start(shrink: header.format == .jpeg ? shrink : 1)
            let target = RowShape(
                width: min(width, shape.width), height: (shape.height + 1) / 2, channels: shape.channels)
            let rows = CountedRows()
            let reducer = RowReducer(
                from: shape, extent: (Double(shape.width), Double(shape.height)), to: target, next: rows)
            if header.format == .webp {
                PeakMemory.begin()
            }
            // Also of a picture that fails on the way.
            defer {
                precondition(
                    header.format != .webp || PeakMemory.end() <= header.heldByDecoder + header.heldInTables,
                    "what is held is told")
            }
            try decoder.decodeColours(shape, into: reducer) { false }
            precondition(rows.count == target.height, "a picture has all its rows")
        } catch {
            // Nearly every input is broken, and an error is the right answer to it.
        }
    }

    /// Keeps a run short.
    private static let maxPixels = 300_000

    /// Bytes; all that a progressive picture of so many pixels has in coefficients, and more.
    private static let maxHeld = 300_000 * 64

    /// Bytes; of as many groups of prefix codes as can be named, with the largest cache of colours.
    private static let maxInTables = 65_536 * 21_000
}

/// Counts rows and keeps none.
private final class CountedRows: RowConsumer {
    private(set) var count = 0

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) { count += 1 }
}

/// The most bytes that are allocated at a time, by what the sanitizer knows of all large allocations.
private enum PeakMemory {
    /// Inputs are run one after the other, on one thread, and hooks are called on that which allocates.
    nonisolated(unsafe) private static var start = 0
    nonisolated(unsafe) private static var peak = 0

    private static let isHooked: Bool = {
        let isInstalled = installHooks({ _, size in PeakMemory.note(size) }, { _ in })
        precondition(isInstalled != 0, "the sanitizer has room for hooks")
        return true
    }()

    static func begin() {
        precondition(isHooked)
        start = allocatedBytes()
        peak = start
    }

    /// Since it began.
    static func end() -> Int { peak - start }

    private static func note(_ size: Int) {
        if size >= 4096 { peak = max(peak, allocatedBytes()) }
    }
}

@_silgen_name("__sanitizer_get_current_allocated_bytes")
private func allocatedBytes() -> Int

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
    _ allocated: @convention(c) (UnsafeRawPointer?, Int) -> Void, _ freed: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt
