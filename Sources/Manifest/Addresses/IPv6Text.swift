/// The text form of IPv6 addresses (RFC 4291 §2.2), as it stands between brackets in a URL.
enum IPv6Text {
    /// - Parameter text: without brackets; a zone may follow after "%25" (RFC 6874).
    static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
        var address = text
        if let percent = text.firstIndex(of: UInt8(ascii: "%")) {
            let zone = text[percent...]
            guard zone.starts(with: "%25".utf8), zone.count > 3,
                zone.dropFirst(3).allSatisfy({ URLReference.isLetterOrDigit($0) || "-._~".utf8.contains($0) })
            else { return false }
            address = text[..<percent]
        }
        let colon = UInt8(ascii: ":")
        let gap = address.indices.first { address[$0...].starts(with: [colon, colon]) }
        guard let gap else { return groups(address) == 8 }
        guard let before = groups(address[..<gap]), let after = groups(address[(gap + 2)...]) else { return false }
        return before + after < 8 && !address[..<gap].contains(UInt8(ascii: "."))
    }

    /// The number of groups of 16 bits in `text`; nil if one is malformed. IPv4 at the end counts as two.
    private static func groups(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty else { return 0 }
        var count = 0
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard isIPv4(part) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(part.count), part.allSatisfy(isHexadecimal) else { return nil }
                count += 1
            }
        }
        return count
    }

    private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && UInt8(String(decoding: part, as: UTF8.self)) != nil && part.first != UInt8(ascii: "+")
            }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
