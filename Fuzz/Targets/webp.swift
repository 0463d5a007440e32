/// WebP files: chunks, metadata, lossy and lossless pictures, and the first frame of animations.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzWebP(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let last = input.last, input.starts(with: Array("RIFF".utf8)) else { return -1 }
    FuzzedFile(input).decode(shrink: 1, width: Int(last >> 2) + 1)
    return 0
}
