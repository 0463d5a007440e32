/// Text that is compared byte by byte. Swift's String treats canonically equivalent spellings as equal (é as one scalar
/// or as two), but two photos can differ in nothing else.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 contains this byte, so texts that are hashed one after another can't run into each other.
        hasher.combine(UInt8(0xFF))
    }
}
