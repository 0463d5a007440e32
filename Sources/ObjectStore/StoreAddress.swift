/// The address of a shared store, as users write it.
package enum StoreAddress: Hashable, Sendable {
    /// A path on this machine, of a folder that all machines mount.
    case folder(String)
    /// A bucket of an S3 store. The prefix has no slashes at its ends, and is empty for the whole bucket.
    case bucket(String, prefix: String)

    package typealias Problem = AddressProblem

    /// - Throws: `Problem` if the text is not a valid address.
    package init(_ text: String) throws(Problem) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw Problem("it is empty or has control characters")
        }
        if let scheme = text.firstRange(of: "://") {
            let name = text[..<scheme.lowerBound].lowercased()
            guard name == "s3" else { throw Problem("\(name) addresses are not supported") }
            let address = try BucketAddress(text[scheme.upperBound...])
            guard address.prefix.utf8.allSatisfy(ObjectKey.isAllowed) else {
                throw Problem("the prefix of a store has only letters, digits, '-', '.', '_' and '/'")
            }
            self = .bucket(address.name, prefix: address.prefix)
            return
        }
        // "host:/path" is how NFS and rsync name a folder of another machine.
        if let colon = text.firstIndex(of: ":"), !text[..<colon].contains("/") {
            throw Problem("a folder of another machine must be mounted; write ./\(text) for a folder with this name")
        }
        self = .folder(text)
    }

    /// The address as messages show it.
    package var shown: String {
        switch self {
        case .folder(let path): path
        case .bucket(let name, let prefix): BucketAddress(name: name, prefix: prefix).shown
        }
    }
}

/// The reason why a text is not a valid address, as a clause.
package struct AddressProblem: Error, Hashable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// A bucket of an S3 store, and a prefix of keys without slashes at its ends.
package struct BucketAddress: Hashable, Sendable {
    package let name: String
    package let prefix: String

    package init(name: String, prefix: String) {
        self.name = name
        self.prefix = prefix
    }

    /// Parses "bucket/prefix". Only the bucket names that AWS allows are valid, so that a name is safe in a host name
    /// and in a path.
    package init(_ text: Substring) throws(AddressProblem) {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        let name = parts.removeFirst()
        let isName =
            (3...63).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
            }
        guard isName, name.first != "-", name.first != "." else {
            throw AddressProblem("'\(name)' is not a valid bucket name")
        }
        guard parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
            throw AddressProblem("no part of the prefix may be empty or dots")
        }
        self.init(name: String(name), prefix: parts.joined(separator: "/"))
    }

    package var shown: String { "s3://\(name)\(prefix.isEmpty ? "" : "/" + prefix)" }
}
