/// Classifies hosts by their names alone, for requests through a proxy, where the IP address is unknown here.
enum HostnameClassifier {
    /// The scope of a host by its spelling: an IP address, or a name that no public name server knows.
    ///
    /// - Parameter host: as it stands in an address, an IPv6 address in brackets.
    static func scope(of host: String) -> AddressScope {
        // A name that has no ASCII form may resolve to anything.
        guard let ascii = host.utf8.allSatisfy({ $0 < 0x80 }) ? host.lowercased() : RemoteAddress.ascii(host) else {
            return .machine
        }
        // The dot at the end of a name that is complete is of no account for whoever looks it up.
        let dots = ascii.utf8.reversed().prefix { $0 == UInt8(ascii: ".") }.count
        let name = ascii.dropLast(dots)
        if let address = IPAddress(name) { return address.scope }
        // No name has a percent sign: who looks it up may read it otherwise.
        guard !name.contains("%") else { return .machine }
        if name == "localhost" || machineDomains.contains(where: { name.hasSuffix($0) }) { return .machine }
        // A name without a dot is found in the network of whoever looks it up, or not at all.
        guard let dot = name.lastIndex(of: ".") else { return isNumber(name) ? .machine : .private }
        if isNumber(name[name.index(after: dot)...]) { return .machine }
        return privateDomains.contains { name.hasSuffix($0) } ? .private : .global
    }

    /// Whether a host is named by an IP address, or as `localhost`: so that whoever wrote it knew where it is,
    /// whatever name servers say.
    static func isLiteral(_ host: String) -> Bool {
        IPAddress(host) != nil || host == "localhost" || host == "localhost."
    }

    /// No domain is a number (RFC 3696 §2). What ends in one is an IPv4 address, in a form that some read in another
    /// way than others: "127.1", "0x7f.1", "010.0.0.1".
    private static func isNumber(_ label: Substring) -> Bool {
        if label.hasPrefix("0x") { return label.dropFirst(2).allSatisfy(\.isHexDigit) }
        return label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Loopback (RFC 6761 §6.3), and the service of a cloud that only its own machines see.
    private static let machineDomains = [".localhost", "localhost.localdomain", "metadata.google.internal"]

    /// Names that the root of the DNS does not have, so that nothing public is lost with them, and that networks use
    /// for themselves: RFC 6761, RFC 6762 with its appendix G, RFC 7686, RFC 8375, RFC 9476; .svc in clusters;
    /// .internal and the delay of .corp and .home by resolutions of ICANN; .localdomain as the hosts files of many
    /// systems have it.
    private static let privateDomains = [
        ".localdomain", ".local", ".internal", ".intranet", ".private", ".corp", ".home", ".lan",
        ".home.arpa", ".svc", ".test", ".onion", ".alt",
    ]
}
