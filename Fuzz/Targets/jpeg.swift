/// JPEG files: markers, EXIF and profile segments, all kinds of scans, and the conversion of their colours.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJPEG(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let last = input.last, input.starts(with: [0xFF, 0xD8]) else { return -1 }
    FuzzedFile(input).decode(shrink: 1 << Int(last & 3), width: Int(last >> 2) + 1)
    return 0
}
