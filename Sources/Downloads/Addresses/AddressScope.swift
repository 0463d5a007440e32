/// The reach of an IP address.
package enum AddressScope: Hashable, Sendable {
    /// The public internet.
    case global
    /// A private, shared or reserved network.
    case `private`
    /// This machine or its link: loopback, link-local, unspecified, and the metadata services of clouds.
    case machine
}

extension IPAddress {
    /// The scope of the address. An IPv6 address that embeds an IPv4 address, in whatever form, has no wider scope than
    /// the IPv4 address.
    package var scope: AddressScope {
        if bytes.count == 4 {
            if MachineNetworks.ofIPv4.contains(where: { $0.contains(bytes) }) { return .machine }
        } else if MachineNetworks.ofIPv6.contains(where: { $0.contains(bytes) })
            || embeddedIPv4Candidates.contains(where: { $0.scope == .machine })
        {
            return .machine
        }
        return isPublic ? .global : .private
    }
}

/// The networks that do not leave this machine or its link.
private enum MachineNetworks {
    static let ofIPv4 = [
        CIDRBlock([0], bits: 8),  // "this network"; Linux treats 0.0.0.0 as loopback
        CIDRBlock([100, 100, 100, 200], bits: 32),  // metadata service of Alibaba Cloud
        CIDRBlock([127], bits: 8),  // loopback
        CIDRBlock([168, 63, 129, 16], bits: 32),  // services of Azure for its virtual machines
        CIDRBlock([169, 254], bits: 16),  // link-local, and the metadata services of most clouds
        CIDRBlock([192, 0, 0, 192], bits: 32),  // metadata service of Oracle Cloud
    ]

    static let ofIPv6 = [
        CIDRBlock([], bits: 128),  // unspecified
        CIDRBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], bits: 128),  // loopback
        CIDRBlock([0xFE, 0x80], bits: 10),  // link-local
        CIDRBlock([0xFF, 0x01], bits: 16),  // multicast within the machine
        CIDRBlock([0xFF, 0x02], bits: 16),  // multicast on the link
        CIDRBlock([0xFD, 0x00, 0x0E, 0xC2], bits: 32),  // metadata and other services of AWS
        CIDRBlock([0xFD, 0x00, 0x00, 0x42], bits: 32),  // metadata service of Scaleway
        CIDRBlock([0xFD, 0x20, 0x00, 0xCE], bits: 32),  // metadata service of Google Cloud
    ]
}

extension IPAddress {
    /// The IPv4 addresses that a translator in the network could derive from this IPv6 address. It can't be known which
    /// form of RFC 6052 §2.2 a network uses with a prefix of its own, so all forms are considered.
    private var embeddedIPv4Candidates: [IPAddress] {
        let last = IPAddress(bytes: bytes[12...])
        // IPv4-mapped, IPv4-translated (RFC 2765) and IPv4-compatible addresses (RFC 4291 §2.5.5).
        let beginsWithZeros = bytes[..<8].allSatisfy { $0 == 0 }
        let holdsIPv4 =
            beginsWithZeros
            && [[0, 0, 0, 0], [0, 0, 0xFF, 0xFF], [0xFF, 0xFF, 0, 0]].contains { bytes[8..<12].elementsEqual($0) }
        if holdsIPv4 { return [last] }
        if ReservedNetworks.sixToFour.contains(bytes) { return [IPAddress(bytes: bytes[2..<6])] }
        if ReservedNetworks.teredo.contains(bytes) {
            // The server, and the client, whose bits are inverted (RFC 4380 §4). The last bytes are also taken as they
            // are.
            return [IPAddress(bytes: bytes[4..<8]), IPAddress(bytes: bytes[12...].map { ~$0 }), last]
        }
        if ReservedNetworks.translated.contains(bytes) { return [last] }
        if ReservedNetworks.translatedLocally.contains(bytes) {
            return [
                last, IPAddress(bytes: [bytes[6], bytes[7], bytes[9], bytes[10]]),
                IPAddress(bytes: [bytes[7], bytes[9], bytes[10], bytes[11]]),
                IPAddress(bytes: bytes[9..<13]),
            ]
        }
        let isISATAP = bytes[8] & 0xFD == 0 && bytes[9...11].elementsEqual([0x00, 0x5E, 0xFE])
        return isISATAP ? [last] : []
    }
}
