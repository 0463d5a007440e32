import Foundation
import Imaging

/// The bytes of one run in an unnamed file in memory. Owns the descriptor.
final class FuzzedFile {
    /// Open for reading and writing, at the end of the file.
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

    /// Each time this path is opened, reading starts at the first byte.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// The size in bytes.
    var length: Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { fatalError("no size: \(String(cString: strerror(errno)))") }
        return Int(status.st_size)
    }

    /// Decodes the file as an original, converts it to sRGB and reduces it. Anything but a picture or an `ImagingError`
    /// is a finding. The sizes must depend only on the input, so that a finding can be reproduced.
    func decode(shrink: Int, width: Int) {
        do {
            let decoder = try openPicture(try OriginalFile(path: path), maxPixels: Self.maxPixels)
            let header = decoder.header
            precondition(header.storedWidth * header.storedHeight <= Self.maxPixels, "a picture is too large")
            precondition(header.decoderBytes <= Self.maxDecoderBytes, "the decoder needs too much memory")
            precondition(header.tableBytes <= Self.maxTableBytes, "the decoder's tables are too large")
            let shape = try decoder.start(shrink: header.format == .jpeg ? shrink : 1)
            let target = RowShape(
                width: min(width, shape.width), height: (shape.height + 1) / 2, channels: shape.channels)
            let rows = CountedRows()
            let reducer = RowReducer(
                from: shape, extent: (Double(shape.width), Double(shape.height)), to: target, next: rows)
            if header.format == .webp {
                PeakMemory.begin()
            }
            // Pictures that can't be decoded to their end are checked too.
            defer {
                precondition(
                    header.format != .webp || PeakMemory.end() <= header.decoderBytes + header.tableBytes,
                    "the decoder allocated more than it announced")
            }
            try decoder.decodeColours(shape, into: reducer) { false }
            precondition(rows.count == target.height, "a picture has too few rows")
        } catch {
            // Nearly every input is broken, so an error is the expected result.
        }
    }

    /// Limits the time of a run.
    private static let maxPixels = 300_000

    /// In bytes: more than the coefficients of a progressive JPEG with `maxPixels` take, with the unpacked rows and the
    /// packed one of four components that are 65,536 pixels wide.
    private static let maxDecoderBytes = 300_000 * 64 + 4 * 65_536 / 8 * (20 * 128 + 200)

    /// In bytes: the tables of a WebP with the most groups of prefix codes and the largest colour cache.
    private static let maxTableBytes = 65_536 * 21_000
}

/// Counts rows and does not keep them.
private final class CountedRows: RowConsumer {
    private(set) var count = 0

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) { count += 1 }
}

/// Measures the peak of allocated memory, with the sanitizer's hooks. Only large allocations update the peak.
private enum PeakMemory {
    /// Safe without a lock: inputs run one after another on one thread, and hooks are called on the allocating thread.
    nonisolated(unsafe) private static var start = 0
    nonisolated(unsafe) private static var peak = 0

    private static let isHooked: Bool = {
        let isInstalled = installHooks({ _, size in PeakMemory.note(size) }, { _ in })
        precondition(isInstalled != 0, "the sanitizer has no room for hooks")
        return true
    }()

    static func begin() {
        precondition(isHooked)
        start = allocatedBytes()
        peak = start
    }

    /// - Returns: The peak since `begin`, in bytes.
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
