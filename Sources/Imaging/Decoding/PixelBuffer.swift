/// The memory of one stage. It has a fixed size, and is allocated once and freed with its owner, so that no row needs
/// an allocation.
final class PixelBuffer<Element: BitwiseCopyable> {
    let base: UnsafeMutablePointer<Element>
    let count: Int

    init(_ count: Int, zero: Element) {
        self.count = count
        base = .allocate(capacity: max(count, 1))
        base.initialize(repeating: zero, count: count)
    }

    deinit { base.deallocate() }
}
