import Foundation
import Imaging

/// EXIF segments. The bytes are the first segment of a valid JPEG.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzEXIF(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let signature = Array("Exif\0\0".utf8)
    guard count + signature.count + 2 <= Int(UInt16.max) else { return -1 }
    let length = count + signature.count + 2
    let before: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + signature
    // A frame of 8 × 8 pixels and the start of its scan, which is enough to read the header.
    let after: [UInt8] = [
        0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0xFF, 0xD9,
    ]
    before.withUnsafeBytes { before in
        after.withUnsafeBytes { after in
            let file = FuzzedFile(before, UnsafeRawBufferPointer(start: bytes, count: count), after)
            do {
                let metadata = try maker.metadata(ofOriginalAt: file.path)
                precondition(metadata.width == 8 && metadata.height == 8, "EXIF changed the size")
                for text in [metadata.taken, metadata.camera, metadata.lens, metadata.exposure] {
                    precondition(text.map { !$0.isEmpty && $0.count <= 250 && !$0.contains("\n") } ?? true)
                }
            } catch {
                fatalError("EXIF made a valid JPEG unreadable: \(error)")
            }
        }
    }
    return 0
}

private let maker = DerivativeMaker(
    options: DerivativeOptions(widths: [8], quality: 80, filter: .none, publishesUnfiltered: false, maxPixels: 64))
