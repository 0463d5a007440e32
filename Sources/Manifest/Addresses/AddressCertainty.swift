internal import Addresses

/// Decides whether the user and the password of a URL, if it has any, are certain to be the text before the last @ of
/// its authority. A password that contains a slash, a question mark or a hash sign ends the authority too early:
/// `https://me:pa/ss@host/a.jpg`.
enum AddressCertainty {
    /// - Parameter written: the whole URL as it was written, with its scheme in lower case.
    static func isCertain(_ url: ParsedURL, written: String) -> Bool {
        let rest = Array((url.path + (url.query.map { "?" + $0 } ?? "") + (url.fragment.map { "#" + $0 } ?? "")).utf8)
        guard url.scheme != "file" else { return !AddressSpelling.mayContainUserInfo(rest[...]) }
        guard !url.hasEncodedHost, let kind = HostKind(url) else { return false }
        guard AddressSpelling.hasAt(rest[...]) else { return true }
        // A token can be written as a user without a password. So each @ must be one that is usual in paths, and
        // nothing that could be a part of a token may have been left out.
        return url.userInfo == nil && kind == .plain && url.path != "/" && url.text == written
            && !AddressSpelling.hasColonBeforeAt(rest[...]) && hasOnlyUsualAts(rest)
    }

    /// Whether each @ is written as is usual in the paths of pictures: `/@me/`, `a@2x.jpg`, `12345@N00`.
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
        /// A host that is hardly the name of a user: an IP address, localhost, or a name with a dot and without a port.
        case plain
        case other

        /// Returns nil if the text only looks like a host.
        init?(_ url: ParsedURL) {
            let name = Array(url.host.utf8)
            // libcurl accepts nothing but an IPv6 address in brackets.
            if name.first == UInt8(ascii: "[") {
                self = .plain
                return
            }
            guard name.allSatisfy(Self.mayBeInHost), !AddressSpelling.hasAt(name[...]),
                !AddressSpelling.hasColon(name[...]), url.host != ShownAddress.elision
            else { return nil }
            let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let isOfNumbers = parts.count == 4 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
            let isDotted = parts.count > 1 && url.port == nil
            self = isOfNumbers || isDotted || url.host.lowercased() == "localhost" ? .plain : .other
        }

        /// Names that are not ASCII are allowed here. `AddressSpelling` finds other spellings of @ and colon in them.
        private static func mayBeInHost(_ byte: UInt8) -> Bool {
            URLScheme.isLetterOrDigit(byte) || "-._~".utf8.contains(byte) || byte >= 0x80
        }
    }
}
