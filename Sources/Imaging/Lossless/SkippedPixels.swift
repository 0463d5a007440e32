/// The pixels of an image that nobody looks at: they take as many bits, whatever they are.
struct SkippedPixels: SubImagePixels {
    init(count: Int, cacheBits: Int) {}
    mutating func add(_ pixel: UInt32) {}
    mutating func addCached(_ place: Int) {}
    mutating func copy(_ length: Int, from distance: Int) {}
}
