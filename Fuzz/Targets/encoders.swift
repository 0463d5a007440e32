import CImageCodecs
import Foundation
import Imaging

/// Pictures of all kinds, to the writers of JPEG, PNG and WebP and back: the file that comes of it has to be one that
/// our own decoder reads, of the same size, and where nothing may be lost of the same pixels.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzEncoders(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    guard let order = WriteOrder(UnsafeRawBufferPointer(start: bytes, count: count)) else { return -1 }
    let file = FuzzedFile()
    let held = allocatedBytes()
    let attempt = Attempt(order, into: file, held: held)
    switch attempt.status {
    case CODEC_OK: order.requireSameIn(file, length: attempt.length)
    case CODEC_CANCELLED: precondition(attempt.wasCancelled, "only who asks for it gets half a file")
    case CODEC_UNSUPPORTED: precondition(!order.fits, "what the format can hold is written")
    default: fatalError("a picture cannot be written: \(attempt.status)")
    }
    return 0
}

/// What the first eight bytes of an input ask for; the others are pixels.
private struct WriteOrder {
    enum Kind: UInt8 {
        case jpeg, png, webp, transparentWebP

        var channels: Int { self == .png || self == .transparentWebP ? 4 : 3 }
        var isWebP: Bool { self == .webp || self == .transparentWebP }
    }

    let kind: Kind
    let width: Int
    let height: Int
    /// As the writer's door has it: quality, or zlib's level.
    let quality: Int
    let method: Int32
    /// Rows that are written before it is given up; nil for all.
    let lastRow: Int?
    /// Questions whether to go on that are answered with yes; nil for all.
    let patience: Int?
    /// RGB or RGBA; bands of opaque rows in it where the first byte says so.
    let pixels: [UInt8]

    var channels: Int { kind.channels }
    var fits: Bool { !kind.isWebP || max(width, height) <= CODEC_WEBP_LONGEST_SIDE }

    init?(_ input: UnsafeRawBufferPointer) {
        guard input.count > 8, let kind = Kind(rawValue: input[0] & 3) else { return nil }
        self.kind = kind
        var sides = (Int(input[1]) % 120 + 1, Int(input[2]) % 120 + 1)
        switch input[0] >> 2 & 7 {
        // As long as a side can be, and a bit longer; so narrow that a run is short.
        case 0: sides = ((Int(input[1]) + 1) * 64, sides.1 % 3 + 1)
        case 1: sides = (sides.0 % 3 + 1, (Int(input[2]) + 1) * 64 - Int(input[7] & 63))
        default: break
        }
        (width, height) = sides
        method = Int32(input[4] % 7)
        quality = kind == .png ? Int(input[3] % 9) + 1 : kind.isWebP ? Int(input[3] % 101) : Int(input[3] % 100) + 1
        lastRow = input[5] == 1 ? Int(input[6]) % height : nil
        patience = input[5] >= 0xF0 ? Int(input[5] & 15) : nil
        let content = UnsafeRawBufferPointer(rebasing: input[8...])
        var pixels = Self.pixels(of: content, count: width * height * kind.channels, isNoise: input[0] & 0x20 != 0)
        if kind.channels == 4, input[0] & 0x40 != 0 {
            for row in 0..<height where content[row / 16 % content.count] & 1 == 0 {
                for pixel in row * width..<(row + 1) * width { pixels[4 * pixel + 3] = 255 }
            }
        }
        self.pixels = pixels
    }

    /// The bytes over and over; as noise, with something added to each that does not repeat.
    private static func pixels(of bytes: UnsafeRawBufferPointer, count: Int, isNoise: Bool) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count)
        while pixels.count < count { pixels.append(contentsOf: bytes.prefix(count - pixels.count)) }
        guard isNoise else { return pixels }
        var state: UInt32 = 1
        for index in pixels.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            pixels[index] &+= UInt8(state >> 24)
        }
        return pixels
    }

    /// Reads the file again.
    func requireSameIn(_ file: FuzzedFile, length: Int64) {
        precondition(file.length == Int(length), "the length is that of the file")
        do {
            let decoder = try openPicture(try OriginalFile(path: file.path), maxPixels: width * height)
            let header = decoder.header
            precondition(header.width == width && header.height == height, "the size stays")
            let isTransparent = channels == 4 && stride(from: 3, to: pixels.count, by: 4).contains { pixels[$0] < 255 }
            precondition(
                header.hasTransparency == (kind == .png || isTransparent),
                "what is transparent stays so, and no more is")
            let shape = try decoder.start(shrink: 1)
            let rows = RowsToCompare(shape)
            try decoder.decodeColours(shape, into: rows) { false }
            precondition(rows.pixels.count == width * height * shape.channels, "all rows are there")
            if kind == .png { precondition(rows.pixels == pixels, "PNG loses nothing") }
            if isTransparent {
                let alphas = stride(from: 3, to: pixels.count, by: 4)
                precondition(alphas.allSatisfy { rows.pixels[$0] == pixels[$0] }, "transparency is kept without losses")
            }
        } catch {
            fatalError("what was written cannot be read: \(error)")
        }
    }
}

/// One run of a writer.
private final class Attempt {
    private(set) var status = CODEC_OK
    private(set) var length: Int64 = 0
    private(set) var wasCancelled = false
    private let order: WriteOrder
    /// Bytes that were allocated before.
    private let held: Int
    private var questions = 0

    init(_ order: WriteOrder, into file: FuzzedFile, held: Int) {
        self.order = order
        self.held = held
        let (width, height) = (UInt32(order.width), UInt32(order.height))
        var opened: OpaquePointer?
        switch order.kind {
        case .jpeg:
            status = codec_jpeg_writer_open(file.descriptor, width, height, Int32(order.quality), &opened)
            writeRows {
                codec_jpeg_writer_row(opened, $0)
            } finish: {
                codec_jpeg_writer_finish(opened, &length)
            }
            codec_jpeg_writer_close(opened)
        case .png:
            status = codec_png_writer_open(file.descriptor, width, height, Int32(order.quality), &opened)
            writeRows {
                codec_png_writer_row(opened, $0)
            } finish: {
                codec_png_writer_finish(opened, &length)
            }
            codec_png_writer_close(opened)
        case .webp, .transparentWebP:
            status = codec_webp_writer_open(
                file.descriptor, width, height, order.channels == 4, Float(order.quality), order.method, &opened)
            writeRows {
                codec_webp_writer_row(opened, $0)
            } finish: {
                compress(opened)
            }
            codec_webp_writer_close(opened)
        }
    }

    private func writeRows(
        _ write: (UnsafePointer<UInt8>) -> codec_status, finish: () -> codec_status
    ) {
        let bytesPerRow = order.width * order.channels
        order.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for row in 0..<(order.lastRow ?? order.height) where status == CODEC_OK {
                status = write(base + row * bytesPerRow)
            }
        }
        guard status == CODEC_OK else { return }
        if order.lastRow == nil {
            status = finish()
        } else {
            (status, wasCancelled) = (CODEC_CANCELLED, true)
        }
    }

    /// Safe: this object outlives the call, which is the only one to use the pointer.
    private func compress(_ writer: OpaquePointer?) -> codec_status {
        codec_webp_writer_finish(
            writer,
            { context in context.map { Unmanaged<Attempt>.fromOpaque($0).takeUnretainedValue().isToStop() } ?? false },
            Unmanaged.passUnretained(self).toOpaque(), &length)
    }

    private func isToStop() -> Bool {
        let (width, height, isTransparent) = (order.width, order.height, order.channels == 4)
        let told =
            WebPMemory.picture(width: width, height: height, hasTransparency: isTransparent)
            + WebPMemory.workspace(width: width, height: height, hasTransparency: isTransparent)
        precondition(allocatedBytes() - held <= told, "what is held is told")
        questions += 1
        wasCancelled = order.patience.map { questions > $0 } ?? false
        return wasCancelled
    }
}

/// Keeps all rows.
private final class RowsToCompare: RowConsumer {
    private(set) var pixels: [UInt8] = []
    private let shape: RowShape

    init(_ shape: RowShape) {
        self.shape = shape
        pixels.reserveCapacity(shape.bytesPerRow * shape.height)
    }

    func consume(_ row: UnsafePointer<UInt8>) throws(ImagingError) {
        pixels.append(contentsOf: UnsafeBufferPointer(start: row, count: shape.bytesPerRow))
    }
}

/// What the program holds at the moment, as AddressSanitizer counts it (sanitizer/allocator_interface.h).
@_silgen_name("__sanitizer_get_current_allocated_bytes")
private func sanitizerCount() -> Int

private func allocatedBytes() -> Int { sanitizerCount() }
