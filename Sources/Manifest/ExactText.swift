/// Text compared byte by byte. Swift's String takes canonically equivalent spellings for equal (é as one scalar or as
/// two), and two photos may differ in nothing else.
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
        // No UTF-8 has this byte, so that the texts of a list can't run into each other.
        hasher.combine(UInt8(0xFF))
    }
}
