/// A network: all addresses that begin with the same bits.
struct CIDRBlock: Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// - Parameters:
    ///   - bytes: the first bytes of the network's addresses. Zeros at the end can be left out.
    ///   - bits: the length of the prefix.
    init(_ bytes: [UInt8], bits: Int) {
        self.bytes = bytes
        self.bits = bits
    }

    func contains(_ address: [UInt8]) -> Bool {
        guard bits <= address.count * 8 else { return false }
        return (0..<(bits + 7) / 8).allSatisfy { index in
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, bits - index * 8))
            return address[index] & mask == (index < bytes.count ? bytes[index] : 0) & mask
        }
    }
}

/// The networks that are not part of the public internet (IANA's registries of special-purpose addresses, RFC 6890).
enum ReservedNetworks {
    static let ofIPv4 = [
        CIDRBlock([0], bits: 8),  // "this network"; Linux treats 0.0.0.0 as loopback
        CIDRBlock([10], bits: 8),  // private
        CIDRBlock([100, 64], bits: 10),  // shared address space of providers (RFC 6598)
        CIDRBlock([127], bits: 8),  // loopback
        CIDRBlock([168, 63, 129, 16], bits: 32),  // services of Azure for its virtual machines
        CIDRBlock([169, 254], bits: 16),  // link-local, and the metadata services of clouds
        CIDRBlock([172, 16], bits: 12),  // private
        CIDRBlock([192, 0, 0], bits: 24),  // protocol assignments
        CIDRBlock([192, 0, 2], bits: 24),  // documentation
        CIDRBlock([192, 88, 99], bits: 24),  // 6to4 relays
        CIDRBlock([192, 168], bits: 16),  // private
        CIDRBlock([198, 18], bits: 15),  // benchmarking
        CIDRBlock([198, 51, 100], bits: 24),  // documentation
        CIDRBlock([203, 0, 113], bits: 24),  // documentation
        CIDRBlock([224], bits: 4),  // multicast
        CIDRBlock([240], bits: 4),  // reserved, broadcast
    ]

    /// The public addresses. Loopback, unique local, link-local, site-local, multicast and unassigned addresses are
    /// outside of this block.
    static let globalUnicast = CIDRBlock([0x20], bits: 3)

    /// The reserved networks within `globalUnicast`.
    static let ofIPv6 = [
        CIDRBlock([0x20, 0x01], bits: 23),  // protocol assignments, including Teredo
        CIDRBlock([0x20, 0x01, 0x0D, 0xB8], bits: 32),  // documentation
        CIDRBlock([0x3F, 0xFF], bits: 20),  // documentation
    ]

    /// ::ffff:0:0/96, the IPv4-mapped addresses of IPv6 sockets (RFC 4291 §2.5.5.2).
    static let mapped = CIDRBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96)
    /// 64:ff9b::/96, to which a network without IPv4 translates IPv4 addresses (RFC 6052). 64:ff9b:1::/48 is for local
    /// use and not public.
    static let translated = CIDRBlock([0x00, 0x64, 0xFF, 0x9B], bits: 96)
    /// 64:ff9b:1::/48, the same for local use, where a network chooses the form (RFC 8215).
    static let translatedLocally = CIDRBlock([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], bits: 48)
    /// 2001::/32, Teredo (RFC 4380).
    static let teredo = CIDRBlock([0x20, 0x01, 0x00, 0x00], bits: 32)
    /// 2002::/16, 6to4 (RFC 3056).
    static let sixToFour = CIDRBlock([0x20, 0x02], bits: 16)
}
