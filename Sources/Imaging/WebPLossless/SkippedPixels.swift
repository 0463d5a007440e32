/// Discards the pixels of an image that is decoded only to find where it ends.
struct SkippedPixels: SubImagePixels {
    init(count: Int, cacheBits: Int) {}
    mutating func add(_ pixel: UInt32) {}
    mutating func addCached(_ index: Int) {}
    mutating func copy(_ length: Int, from distance: Int) {}
}
