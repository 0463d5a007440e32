internal import Foundation
package import ObjectStore

/// The address of a place where a site is published, as users write it.
package enum TargetAddress: Hashable, Sendable {
    /// A path on this machine.
    case folder(String)
    /// A folder on another machine, by rsync over ssh. `host` can have a user, as in "anna@example.org". A relative
    /// path starts in the user's home folder there.
    case rsync(host: String, path: String)
    /// A bucket of an S3 store. The prefix has no slashes at its ends, and is empty for the whole bucket.
    case bucket(String, prefix: String)

    package typealias Problem = AddressProblem

    /// - Throws: `Problem` if the text is not a valid address.
    package init(_ text: String) throws(Problem) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw Problem("it is empty or has control characters")
        }
        if let scheme = text.range(of: "://") {
            let name = text[..<scheme.lowerBound].lowercased()
            if name == "s3" {
                let address = try BucketAddress(text[scheme.upperBound...])
                self = .bucket(address.name, prefix: address.prefix)
                return
            }
            if name == "file" { throw Problem("file addresses are not supported; write the path of the folder alone") }
            throw Problem("\(name) addresses are not supported")
        }
        guard let colon = Self.colon(in: text) else {
            self = .folder(text)
            return
        }
        let host = String(text[..<colon])
        var path = String(text[text.index(after: colon)...])
        // A user in front of the host says that a host of this name is meant.
        switch host.lowercased() {
        case "s3": throw Problem("a bucket is written s3://bucket/prefix, and a host named '\(host)' user@\(text)")
        case "file": throw Problem("write the path of a folder alone, and for a host named '\(host)' user@\(text)")
        default: break
        }
        if path.hasPrefix(":") { throw Problem("rsync daemons (host::module) are not supported") }
        guard Self.isHost(host) else {
            throw Problem("'\(host)' is not a valid host name; write ./\(text) for a folder")
        }
        // No shell reads the path on the other machine, so "~" is replaced here: a relative path starts in the user's
        // home folder.
        if path == "~" || path.hasPrefix("~/") { path = String(path.dropFirst().drop { $0 == "/" }) }
        if path.hasPrefix("~") { throw Problem("write the path of another user's home folder in full") }
        // The rsync of the other machine expands wildcards in the path, even with --secluded-args: with "site1" and
        // "site[1]" there, files for "site[1]" would go to "site1".
        if let wildcard = path.first(where: { "*?[\\".contains($0) }) {
            throw Problem("rsync would take '\(wildcard)' in the path for a wildcard; rename the folder")
        }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let parts = path.split(separator: "/").filter { $0 != "." }
        if parts.isEmpty { throw Problem("name a folder for the site only after the ':'") }
        if parts.contains("..") { throw Problem("write the path without '..'") }
        self = .rsync(host: host, path: path)
    }

    /// The first colon, which ends the host, unless a "/" comes before it. The colons of an IPv6 address are in
    /// brackets and do not count.
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

    /// Whether the text is a host, with or without a user, that ssh can take neither for an option nor for a command.
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

    /// The address as messages show it.
    package var shown: String {
        switch self {
        case .folder(let path): path
        case .rsync(let host, let path): "\(host):\(path)"
        case .bucket(let name, let prefix): BucketAddress(name: name, prefix: prefix).shown
        }
    }
}
