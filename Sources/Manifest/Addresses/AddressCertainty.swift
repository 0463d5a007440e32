/// Tells whether the user and the password of a URL, if it has any, can only be what stands before the last @ of its
/// authority. A password with a slash, a question mark or a hash sign in it ends the authority too early:
/// `https://me:pa/ss@host/a.jpg`.
enum AddressCertainty {
    static func isCertain(_ reference: URLReference, scheme: String) -> Bool {
        var rest = Array(reference.path)
        for (mark, part) in [("?", reference.query), ("#", reference.fragment)] {
            if let part { rest += Array(mark.utf8) + part }
        }
        if scheme == "file", reference.authority?.isEmpty ?? true {
            return reference.path.first == UInt8(ascii: "/") && !AddressSpelling.mayHoldUser(rest[...])
        }
        guard let authority = reference.authority else { return false }
        let host = URLReference.hostAndPort(of: authority)
        guard let kind = HostKind(host) else { return false }
        guard AddressSpelling.hasAt(rest[...]) else { return true }
        // A token may be written as a user without a password, so that each @ must be one that paths have.
        return host.count == authority.count && kind == .plain && !reference.path.isEmpty
            && !AddressSpelling.hasColonBeforeAt(rest[...]) && hasOnlyUsualAts(rest)
    }

    /// Whether each @ is written as in the paths of pictures: `/@me/`, `a@2x.jpg`, `12345@N00`.
    private static func hasOnlyUsualAts(_ path: [UInt8]) -> Bool {
        let at = UInt8(ascii: "@")
        let slash = UInt8(ascii: "/")
        let withoutAts = path.map { $0 == at ? slash : $0 }
        guard !AddressSpelling.hasAt(withoutAts[...]) else { return false }
        return path.indices.filter { path[$0] == at }.allSatisfy { place in
            let before = path[..<place]
            let after = path[(place + 1)...]
            let digits = after.prefix(while: isDigit)
            let isScale = !digits.isEmpty && after.dropFirst(digits.count).starts(with: "x.".utf8)
            let account = before[(before.lastIndex { !isDigit($0) }.map { $0 + 1 } ?? before.startIndex)...]
            let isAccount =
                !account.isEmpty && path[..<account.startIndex].last == slash && after.first == UInt8(ascii: "N")
                && after.dropFirst().prefix { $0 != slash }.allSatisfy(isDigit)
            return before.last == slash || isScale || isAccount
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private enum HostKind {
        /// Hardly the name of a user: an address of numbers, localhost, or a name with a dot and no port.
        case plain
        case other

        /// nil for what is no host with a port.
        init?(_ text: URLReference.Part) {
            let colon = UInt8(ascii: ":")
            if text.first == UInt8(ascii: "[") {
                guard let end = text.firstIndex(of: UInt8(ascii: "]")), IPv6Text.isValid(text[..<end].dropFirst()),
                    Self.isPort(text[(end + 1)...])
                else { return nil }
                self = .plain
                return
            }
            let name = text.prefix { $0 != colon }
            guard !name.isEmpty, Self.isPort(text[name.endIndex...]), name.allSatisfy(Self.mayBeInHost),
                !AddressSpelling.hasAt(name), !AddressSpelling.hasColon(name),
                !name.elementsEqual(ShownAddress.elision.utf8)
            else { return nil }
            let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isOfNumbers = parts.count == 4 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
            let isDotted = name.contains(UInt8(ascii: ".")) && name.endIndex == text.endIndex
            let isLocal = String(decoding: name, as: UTF8.self).lowercased() == "localhost"
            self = isOfNumbers || isDotted || isLocal ? .plain : .other
        }

        private static func isPort(_ text: URLReference.Part) -> Bool {
            guard let colon = text.first else { return true }
            let digits = text.dropFirst()
            return colon == UInt8(ascii: ":") && digits.allSatisfy { (0x30...0x39).contains($0) }
                && (digits.isEmpty || (1...65_535).contains(Int(String(decoding: digits, as: UTF8.self)) ?? 0))
        }

        /// Names that are not ASCII are told in `AddressSpelling`.
        private static func mayBeInHost(_ byte: UInt8) -> Bool {
            URLReference.isLetterOrDigit(byte) || "-._~".utf8.contains(byte) || byte >= 0x80
        }
    }
}
