internal import Foundation

/// A header line, parsed in libcurl's buffer. It is valid only as long as libcurl keeps the line.
struct HeaderField {
    private let line: UnsafeRawBufferPointer
    let nameLength: Int
    private let ends: Range<Int>

    /// - Returns: nil if the line has no colon, or the field has no value.
    init?(_ line: UnsafeRawBufferPointer) {
        guard let first = line.baseAddress, let found = memchr(first, Int32(UInt8(ascii: ":")), line.count) else {
            return nil
        }
        let colon = UnsafeRawPointer(found) - first
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var (start, end) = (colon + 1, line.count)
        while start < end, isSpace(line[start]) { start += 1 }
        while start < end, isSpace(line[end - 1]) { end -= 1 }
        guard start < end else { return nil }
        self.line = line
        nameLength = colon
        ends = start..<end
    }

    /// Whether the field has this name, ignoring case.
    ///
    /// - Parameter name: the name in lower case, with a length of `nameLength`.
    func isNamed(_ name: StaticString) -> Bool {
        // The loop reads within both texts, as it ends with the shorter one.
        for index in 0..<min(line.count, name.utf8CodeUnitCount) {
            let (byte, letter) = (line[index], name.utf8Start[index])
            if byte != letter, !((0x41...0x5A).contains(byte) && byte | 0x20 == letter) { return false }
        }
        return true
    }

    /// The value without the white space around it.
    var value: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: line[ends]) }

    var text: String { String(decoding: value, as: UTF8.self) }

    /// The value with a character for each byte (ISO 8859-1), so that bytes that are not UTF-8 can be sent back
    /// unchanged.
    var latin1Text: String {
        guard value.contains(where: { $0 >= 0x80 }) else { return text }
        var letters = String.UnicodeScalarView()
        letters.append(contentsOf: value.lazy.map { Unicode.Scalar($0) })
        return String(letters)
    }
}
