/// PNG files: chunks, all colour types and transparency, interlaced or not. Checksums are corrected first, because
/// otherwise the decoder would reject every mutation.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPNG(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    var input = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    guard let last = input.last, input.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return -1 }
    // Every eighth input keeps its checksums, so that wrong ones are tried too.
    if last & 7 != 0 { repairChecksums(&input) }
    input.withUnsafeBytes { FuzzedFile($0).decode(shrink: 1, width: Int(last >> 3) + 1) }
    return 0
}

private func repairChecksums(_ png: inout [UInt8]) {
    var chunk = 8
    while chunk + 12 <= png.count {
        let length = png[chunk..<chunk + 4].reduce(0) { $0 << 8 | Int($1) }
        let end = chunk + 8 + length
        guard end + 4 <= png.count else { return }
        let sum = checksum(png[chunk + 4..<end])
        for byte in 0..<4 { png[end + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * byte)) }
        chunk = end + 4
    }
}

private let checksums: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
}

/// The CRC of the PNG specification, annex D.
private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { checksums[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
}
