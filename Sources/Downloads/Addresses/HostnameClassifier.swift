/// Classifies hosts by their names alone, for requests through a proxy, where the IP address is not known here.
enum HostnameClassifier {
    /// The scope of a host by its spelling: an IP address has its own scope, and a name that no public name server
    /// knows is private.
    ///
    /// - Parameter host: the host as it is written in an address, with an IPv6 address in brackets.
    static func scope(of host: String) -> AddressScope {
        // A name that has no ASCII form could resolve to anything.
        guard let ascii = host.utf8.allSatisfy({ $0 < 0x80 }) ? host.lowercased() : RemoteAddress.ascii(host) else {
            return .machine
        }
        // The dot at the end of a complete name makes no difference to a resolver.
        let dots = ascii.utf8.reversed().prefix { $0 == UInt8(ascii: ".") }.count
        let name = ascii.dropLast(dots)
        if let address = IPAddress(name) { return address.scope }
        // No valid name contains a percent sign, but a resolver could decode one.
        guard !name.contains("%") else { return .machine }
        if name == "localhost" || machineDomains.contains(where: { name.hasSuffix($0) }) { return .machine }
        // A name without a dot is found in the resolver's own network, or not at all.
        guard let dot = name.lastIndex(of: ".") else { return isNumber(name) ? .machine : .private }
        if isNumber(name[name.index(after: dot)...]) { return .machine }
        return privateDomains.contains { name.hasSuffix($0) } ? .private : .global
    }

    /// Whether a host is written as an IP address or as `localhost`. Then its author knew where it leads, whatever name
    /// servers say.
    static func isLiteral(_ host: String) -> Bool {
        IPAddress(host) != nil || host == "localhost" || host == "localhost."
    }

    /// Whether a label is a number. No top-level domain is (RFC 3696 §2), so a host that ends in a number is an IPv4
    /// address in a form that not all parsers read alike: "127.1", "0x7f.1", "010.0.0.1".
    private static func isNumber(_ label: Substring) -> Bool {
        if label.hasPrefix("0x") { return label.dropFirst(2).allSatisfy(\.isHexDigit) }
        return label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The domains of loopback (RFC 6761 §6.3), and the metadata service of a cloud that only its own machines can
    /// reach.
    private static let machineDomains = [".localhost", "localhost.localdomain", "metadata.google.internal"]

    /// Domains that the root of the DNS does not have, so that no public host is lost, and that networks use
    /// internally: RFC 6761, RFC 6762 with its appendix G, RFC 7686, RFC 8375 and RFC 9476; `.svc` in clusters;
    /// `.internal`, and the delayed `.corp` and `.home`, by resolutions of ICANN; `.localdomain`, from the hosts files
    /// of many systems.
    private static let privateDomains = [
        ".localdomain", ".local", ".internal", ".intranet", ".private", ".corp", ".home", ".lan",
        ".home.arpa", ".svc", ".test", ".onion", ".alt",
    ]
}
