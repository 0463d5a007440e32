internal import Foundation
internal import Manifest

/// The text of a source in UTF-8, whatever its encoding was.
struct SourceText {
    /// The text in UTF-8, without a byte order mark.
    let bytes: [UInt8]
    let warnings: [String]

    /// Decodes bytes by their byte order mark; without one, by the charset that the server stated, if it is known;
    /// without either, as UTF-8. Bytes that are not UTF-8 are decoded as Windows-1252, which spreadsheets write.
    init(decoding bytes: [UInt8], charset: String? = nil) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            self.init(decoding: Array(bytes.dropFirst(3)))
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            self.init(bytes: Charset.utf8(of: bytes[2...], in: "UTF-16LE") ?? [], warnings: [])
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            self.init(bytes: Charset.utf8(of: bytes[2...], in: "UTF-16BE") ?? [], warnings: [])
        } else if let charset, let text = Charset.utf8(of: bytes[...], in: charset) {
            self.init(bytes: text, warnings: [])
        } else if String(validating: bytes, as: UTF8.self) != nil {
            self.init(bytes: bytes, warnings: [])
        } else {
            let text = Charset.utf8(of: bytes[...], in: "CP1252") ?? bytes
            self.init(bytes: text, warnings: ["it is not UTF-8 and was read as Windows-1252"])
        }
    }

    /// Whether the bytes start with a byte order mark, which overrides all other statements about their encoding.
    static func hasByteOrderMark(_ bytes: [UInt8]) -> Bool {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        return marks.contains { bytes.starts(with: $0) }
    }

    private init(bytes: [UInt8], warnings: [String]) {
        self.bytes = bytes
        self.warnings = warnings
    }
}

/// Character encodings, decoded by iconv(3).
enum Charset {
    /// The labels of the WHATWG's Encoding Standard (§4.2) that iconv does not know, or knows as another encoding.
    private static let names = [
        "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "windows-31j": "CP932",
        "iso-8859-1": "CP1252", "latin1": "CP1252", "us-ascii": "CP1252", "ascii": "CP1252", "iso-8859-9": "CP1254",
        "gb2312": "GB18030", "gbk": "GB18030", "x-gbk": "GB18030", "ks_c_5601-1987": "CP949", "euc-kr": "CP949",
        "big5": "BIG5-HKSCS", "utf-16": "UTF-16LE", "utf8": "UTF-8",
    ]

    /// The charset that a `Content-Type` field states. Many servers state UTF-8 for everything that they send, so UTF-8
    /// is ignored if the bytes are not UTF-8.
    static func named(byContentType field: String, of bytes: [UInt8]) -> String? {
        guard let charset = parameter(ofContentType: field) else { return nil }
        let isUTF8 = ["utf-8", "utf8"].contains(charset.lowercased())
        return isUTF8 && String(validating: bytes, as: UTF8.self) == nil ? nil : charset
    }

    /// The charset of a `Content-Type` field (RFC 9110 §8.3.2). If there are several, the first counts.
    private static func parameter(ofContentType field: String) -> String? {
        for parameter in field.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { WhiteSpace.trimmed(String($0)) }
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            return parts[1].filter { $0 != "\"" && $0 != "'" }
        }
        return nil
    }

    /// The bytes converted to UTF-8, with U+FFFD in place of bytes that are invalid in the encoding; nil if the
    /// encoding is unknown.
    static func utf8(of bytes: ArraySlice<UInt8>, in label: String) -> [UInt8]? {
        let name = names[label.lowercased()] ?? label
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }),
            let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1)
        else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var result: [UInt8] = []
        result.reserveCapacity(input.count + input.count / 2)
        var piece = [CChar](repeating: 0, count: 65_536)
        input.withUnsafeMutableBufferPointer { input in
            var (from, left) = (input.baseAddress, input.count)
            while left > 0 {
                let produced = piece.withUnsafeMutableBufferPointer { piece in
                    var (to, room) = (piece.baseAddress, piece.count)
                    // iconv moves both pointers within the buffers, whose lengths it is given.
                    let code = iconv(converter, &from, &left, &to, &room)
                    return (count: piece.count - room, failure: code == -1 ? errno : 0)
                }
                result += piece[..<produced.count].lazy.map { UInt8(bitPattern: $0) }
                if produced.failure != 0, produced.failure != E2BIG {
                    result += [0xEF, 0xBF, 0xBD]
                    from = from.map { $0 + 1 }
                    left -= 1
                }
            }
        }
        return result
    }
}
