internal import Foundation

/// The address of a place where a site is published, as people write it.
package enum TargetAddress: Hashable, Sendable {
    /// A path on this machine.
    case folder(String)
    /// A folder on another machine, by rsync over ssh. `host` may have a user before it: "anna@example.org". A relative
    /// path is in the user's home folder there.
    case rsync(host: String, path: String)
    /// A bucket of an S3 store. The prefix has no slash at its ends; empty for the whole bucket.
    case bucket(String, prefix: String)

    /// - Throws: `Problem` for what is no address of a place that can be published to.
    package init(_ text: String) throws(Problem) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw Problem("it is empty or has control characters")
        }
        if let scheme = text.range(of: "://") {
            let name = text[..<scheme.lowerBound].lowercased()
            if name == "s3" {
                self = try Self.bucket(in: text[scheme.upperBound...])
                return
            }
            throw Problem("\(name) addresses are not supported")
        }
        guard let colon = Self.colon(in: text) else {
            self = .folder(text)
            return
        }
        let host = String(text[..<colon])
        var path = String(text[text.index(after: colon)...])
        if path.hasPrefix(":") { throw Problem("rsync daemons (host::module) are not supported") }
        guard Self.isHost(host) else { throw Problem("'\(host)' is no host; write ./\(text) for a folder") }
        // The path is given to the other machine as it is, without a shell that would know "~".
        if path.hasPrefix("~/") { path.removeFirst(2) }
        if path.hasPrefix("~") { throw Problem("write the path of another user's home folder in full") }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if ["", ".", "/"].contains(path) { throw Problem("name a folder for the site alone after the ':'") }
        self = .rsync(host: host, path: path)
    }

    /// "bucket/prefix". Buckets have names as AWS allows them, and as nothing that comes after them can be mistaken.
    private static func bucket(in text: Substring) throws(Problem) -> TargetAddress {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        let name = parts.removeFirst()
        let isName =
            (3...63).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
            }
        guard isName, name.first != "-", name.first != "." else { throw Problem("'\(name)' is no name of a bucket") }
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw Problem("no part of the prefix may be empty or dots")
        }
        return .bucket(String(name), prefix: parts.joined(separator: "/"))
    }

    /// The colon that ends a host: the first one, unless a "/" is before it. The colons of an IPv6 address are in
    /// brackets.
    private static func colon(in text: String) -> String.Index? {
        var isInBrackets = false
        for index in text.indices {
            switch text[index] {
            case "[": isInBrackets = true
            case "]": isInBrackets = false
            case ":" where !isInBrackets: return index
            case "/": return nil
            default: break
            }
        }
        return nil
    }

    /// Whether ssh takes this as a host, with or without a user, and as nothing else: neither as an option nor as a
    /// word of a command.
    private static func isHost(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return false }
        return parts.allSatisfy { part in
            guard let first = part.first, first != "-" else { return false }
            return part.unicodeScalars.allSatisfy { scalar in
                scalar.value >= 0x80 || "-._:[]%+".unicodeScalars.contains(scalar)
                    || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            }
        }
    }

    /// Why a text is no address, as a clause.
    package struct Problem: Error, Hashable {
        package let message: String

        init(_ message: String) { self.message = message }
    }

    /// As messages show it.
    package var shown: String {
        switch self {
        case .folder(let path): path
        case .rsync(let host, let path): "\(host):\(path)"
        case .bucket(let name, let prefix): "s3://\(name)\(prefix.isEmpty ? "" : "/" + prefix)"
        }
    }
}
