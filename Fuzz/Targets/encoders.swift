import CImageCodecs
import Foundation
import Imaging

/// Encodes pictures as JPEG, PNG or WebP and decodes the files again. The decoder must read each file, with the same
/// size, and with the same pixels where the format is lossless.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzEncoders(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    guard let order = WriteOrder(UnsafeRawBufferPointer(start: bytes, count: count)) else { return -1 }
    let file = FuzzedFile()
    let held = allocatedBytes()
    let attempt = Attempt(order, into: file, held: held)
    switch attempt.status {
    case CODEC_OK: order.requireSamePicture(in: file, length: attempt.length)
    case CODEC_CANCELLED: precondition(attempt.wasCancelled, "an encoder stopped without being cancelled")
    case CODEC_UNSUPPORTED: precondition(!order.fits, "an encoder refused a size that its format allows")
    default: fatalError("a picture cannot be written: \(attempt.status)")
    }
    return 0
}

/// The picture and the settings of an encoder. The first eight bytes of an input are the settings, the others pixels.
private struct WriteOrder {
    enum Kind: UInt8 {
        case jpeg, png, webp, transparentWebP

        var channels: Int { self == .png || self == .transparentWebP ? 4 : 3 }
        var isWebP: Bool { self == .webp || self == .transparentWebP }
    }

    let kind: Kind
    let width: Int
    let height: Int
    /// The value that the encoder takes: its quality, or the zlib level.
    let quality: Int
    let method: Int32
    /// The number of rows after which the encoder is abandoned; nil to write all rows.
    let lastRow: Int?
    /// The number of calls of the cancellation callback after which it cancels; nil if it never does.
    let callsBeforeCancelling: Int?
    /// RGB or RGBA. In RGBA, a bit of the first byte makes some bands of rows opaque.
    let pixels: [UInt8]

    var channels: Int { kind.channels }
    var fits: Bool { !kind.isWebP || max(width, height) <= CODEC_WEBP_LONGEST_SIDE }

    init?(_ input: UnsafeRawBufferPointer) {
        guard input.count > 8, let kind = Kind(rawValue: input[0] & 3) else { return nil }
        self.kind = kind
        var sides = (Int(input[1]) % 120 + 1, Int(input[2]) % 120 + 1)
        switch input[0] >> 2 & 7 {
        // Sides up to the longest that the format allows and slightly beyond. The other side is short, to save time.
        case 0: sides = ((Int(input[1]) + 1) * 64, sides.1 % 3 + 1)
        case 1: sides = (sides.0 % 3 + 1, (Int(input[2]) + 1) * 64 - Int(input[7] & 63))
        default: break
        }
        (width, height) = sides
        method = Int32(input[4] % 7)
        quality = kind == .png ? Int(input[3] % 9) + 1 : kind.isWebP ? Int(input[3] % 101) : Int(input[3] % 100) + 1
        lastRow = input[5] == 1 ? Int(input[6]) % height : nil
        callsBeforeCancelling = input[5] >= 0xF0 ? Int(input[5] & 15) : nil
        let content = UnsafeRawBufferPointer(rebasing: input[8...])
        var pixels = Self.pixels(of: content, count: width * height * kind.channels, isNoise: input[0] & 0x20 != 0)
        if kind.channels == 4, input[0] & 0x40 != 0 {
            for row in 0..<height where content[row / 16 % content.count] & 1 == 0 {
                for pixel in row * width..<(row + 1) * width { pixels[4 * pixel + 3] = 255 }
            }
        }
        self.pixels = pixels
    }

    /// The bytes, repeated. For noise, pseudo-random numbers are added.
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

    /// Decodes the file and compares it with the picture.
    func requireSamePicture(in file: FuzzedFile, length: Int64) {
        precondition(file.length == Int(length), "the encoder returned another length than the file's")
        do {
            let decoder = try openPicture(try OriginalFile(path: file.path), maxPixels: width * height)
            let header = decoder.header
            precondition(header.width == width && header.height == height, "the size has changed")
            let isTransparent = channels == 4 && stride(from: 3, to: pixels.count, by: 4).contains { pixels[$0] < 255 }
            precondition(
                header.hasTransparency == (kind == .png || isTransparent),
                "the transparency has changed")
            let shape = try decoder.start(shrink: 1)
            let rows = RowsToCompare(shape)
            try decoder.decodeColours(shape, into: rows) { false }
            precondition(rows.pixels.count == width * height * shape.channels, "rows are missing")
            if kind == .png { precondition(rows.pixels == pixels, "the pixels of a PNG have changed") }
            if isTransparent {
                let alphas = stride(from: 3, to: pixels.count, by: 4)
                precondition(alphas.allSatisfy { rows.pixels[$0] == pixels[$0] }, "the alpha values have changed")
            }
        } catch {
            fatalError("the written file cannot be decoded: \(error)")
        }
    }
}

/// A run of an encoder.
private final class Attempt {
    private(set) var status = CODEC_OK
    private(set) var length: Int64 = 0
    private(set) var wasCancelled = false
    private let order: WriteOrder
    /// The bytes that were allocated before the run.
    private let held: Int
    private var calls = 0

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

    /// Safe: only this call uses the pointer, and the object outlives the call.
    private func compress(_ writer: OpaquePointer?) -> codec_status {
        codec_webp_writer_finish(
            writer,
            { context in context.map { Unmanaged<Attempt>.fromOpaque($0).takeUnretainedValue().mustStop() } ?? false },
            Unmanaged.passUnretained(self).toOpaque(), &length)
    }

    private func mustStop() -> Bool {
        let (width, height, isTransparent) = (order.width, order.height, order.channels == 4)
        let told =
            WebPMemory.picture(width: width, height: height, hasTransparency: isTransparent)
            + WebPMemory.workspace(width: width, height: height, hasTransparency: isTransparent)
        precondition(allocatedBytes() - held <= told, "the encoder allocated more than announced")
        calls += 1
        wasCancelled = order.callsBeforeCancelling.map { calls > $0 } ?? false
        return wasCancelled
    }
}

/// Collects all rows.
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

/// The bytes that are allocated at the moment (sanitizer/allocator_interface.h).
@_silgen_name("__sanitizer_get_current_allocated_bytes")
private func sanitizerCount() -> Int

private func allocatedBytes() -> Int { sanitizerCount() }
