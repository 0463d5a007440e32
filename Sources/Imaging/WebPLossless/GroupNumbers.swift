/// Collects the groups of prefix codes that an entropy image refers to by the red and green of its pixels.
struct GroupNumbers: SubImagePixels {
    private var isUsed = [Bool](repeating: false, count: 1 << 16)
    /// The highest number of a group so far.
    private(set) var highest = 0
    /// The number of different groups so far.
    private(set) var usedCount = 0

    /// The most recent pixels, as many as a distance can refer back to. The size is a power of two.
    private var recent: [UInt32]
    private var position = 0
    private var cache: [UInt32]
    private let cacheShift: UInt32

    /// The limit on recent pixels, a power of two. The longest distance that can be coded is shorter by the number of
    /// codes that stand for near pixels.
    private static let longestDistance = 1 << 20

    /// The most memory that a value of this type holds, in bytes.
    static let maxBytes = longestDistance * 4 + 1 << 16 + 1 << 13

    init(count: Int, cacheBits: Int) {
        var size = 1
        while size < min(count, Self.longestDistance) { size *= 2 }
        recent = [UInt32](repeating: 0, count: size)
        cache = [UInt32](repeating: 0, count: PrefixGroup.cachedColours(cacheBits))
        cacheShift = UInt32(32 - cacheBits)
    }

    mutating func add(_ pixel: UInt32) {
        recent[position & (recent.count - 1)] = pixel
        position += 1
        if !cache.isEmpty { cache[Int((pixel &* 0x1E35_A7BD) >> cacheShift)] = pixel }
        let group = Int(pixel >> 8 & 0xFFFF)
        guard !isUsed[group] else { return }
        isUsed[group] = true
        usedCount += 1
        highest = max(highest, group)
    }

    mutating func addCached(_ index: Int) { add(cache[index]) }

    mutating func copy(_ length: Int, from distance: Int) {
        for _ in 0..<length { add(recent[(position - distance) & (recent.count - 1)]) }
    }
}
