internal import Foundation

/// The application record of IPTC-IIM 4.2, which is stored in Photoshop's image resources.
struct IPTCRecord {
    /// The data sets of record 2 by their numbers. Some can repeat.
    private var texts: [UInt8: [String]] = [:]

    var title: String? { texts[5]?.first }
    var keywords: [String] { texts[25] ?? [] }
    var byline: String? { texts[80]?.first }
    var credit: String? { texts[110]?.first }
    var copyright: String? { texts[116]?.first }
    var caption: String? { texts[120]?.first }
    /// The date as CCYYMMDD.
    var date: String? { texts[55]?.first }

    private static let resource: UInt16 = 0x0404

    init(photoshop bytes: [UInt8]) {
        var rest = bytes[...]
        // A resource is "8BIM", a number, a name padded to an even length, the content's length, and the padded
        // content.
        while rest.starts(with: "8BIM".utf8), rest.count >= 12 {
            let start = rest.startIndex
            let number = UInt16(rest[start + 4]) << 8 | UInt16(rest[start + 5])
            let name = Int(rest[start + 6])
            let lengthAt = start + 6 + (name + 2) / 2 * 2
            guard lengthAt + 4 <= rest.endIndex else { return }
            let length = rest[lengthAt..<lengthAt + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.endIndex - lengthAt - 4 else { return }
            let content = rest[(lengthAt + 4)...].prefix(length)
            if number == Self.resource {
                read(content)
                return
            }
            rest = rest[(lengthAt + 4)...].dropFirst(length + length % 2)
        }
    }

    private mutating func read(_ record: ArraySlice<UInt8>) {
        var rest = record
        var isUTF8 = false
        while rest.count >= 5, rest.first == 0x1C {
            let start = rest.startIndex
            let (record, number) = (rest[start + 1], rest[start + 2])
            let length = Int(rest[start + 3]) << 8 | Int(rest[start + 4])
            // A data set of 32 kB or more has another form, which no program writes here.
            guard length < 0x8000, length <= rest.count - 5 else { return }
            let content = rest[(start + 5)...].prefix(length)
            // These bytes are the escape sequence of ISO 2022 for UTF-8.
            if record == 1, number == 90 { isUTF8 = content.elementsEqual([0x1B, 0x25, 0x47]) }
            if record == 2 {
                let text =
                    isUTF8
                    ? String(decoding: content, as: UTF8.self)
                    : String(decoding: SourceText(decoding: Array(content)).bytes, as: UTF8.self)
                texts[number, default: []].append(text)
            }
            rest = rest[(start + 5)...].dropFirst(length)
        }
    }
}
