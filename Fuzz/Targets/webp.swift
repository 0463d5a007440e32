/// WebP files: chunks, metadata, pictures with and without losses, first frames of animations.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzWebP(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let last = input.last, input.starts(with: Array("RIFF".utf8)) else { return -1 }
    FuzzedFile(input).develop(shrink: 1, width: Int(last >> 2) + 1)
    return 0
}
