/// GIF files: the first frame, interlaced or not, with and without transparency.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzGIF(_ bytes: UnsafeRawPointer, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let last = input.last, input.starts(with: Array("GIF8".utf8)) else { return -1 }
    FuzzedFile(input).decode(shrink: 1, width: Int(last >> 2) + 1)
    return 0
}
