import Foundation
import Imaging

/// ICC profiles. The bytes are the profile of a small JPEG, and the last byte chooses one in grey, RGB or CMYK.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzICC(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let profile = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let last = profile.last, count <= longestPart else { return -1 }
    let picture = pictures[Int(last) % pictures.count]
    let signature = Array("ICC_PROFILE\0".utf8) + [1, 1]
    let length = count + signature.count + 2
    let before: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + signature
    before.withUnsafeBytes { before in
        picture.withUnsafeBytes { picture in
            FuzzedFile(before, profile, UnsafeRawBufferPointer(rebasing: picture[2...])).decode(shrink: 1, width: 4)
        }
    }
    return 0
}

private let longestPart = 65519

/// Small JPEGs without a profile, from the folder that FUZZ_PICTURES names.
private let pictures: [[UInt8]] = ["grey-baseline.jpg", "baseline-444-97x61.jpg", "cmyk-adobe.jpg"].map { name in
    let folder = ProcessInfo.processInfo.environment["FUZZ_PICTURES"] ?? "Tests/ImagingTests/Fixtures/images/jpeg"
    guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
        fatalError("no \(folder)/\(name)")
    }
    return Array(bytes)
}
