/// Text that is compared byte by byte. Swift's String treats canonically equivalent spellings as equal (é as one scalar
/// or as two), but two photos or albums can differ in nothing else.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 contains this byte, so texts that are hashed one after another can't run into each other.
        hasher.combine(UInt8(0xFF))
    }
}
