internal import Foundation

/// An IP address, and whether it belongs to the public internet.
package struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes of the address, most significant byte first.
    let bytes: [UInt8]

    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// - Parameter text: an address in dotted decimal or as in RFC 4291, with or without brackets and zone. libcurl has
    ///   already turned the other spellings of IPv4 (decimal, octal, hexadecimal) into dotted decimal.
    package init?(_ text: some StringProtocol) {
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
        // Only IPv6 addresses have zones: "8.8.8.8%.internal" is a name.
        let plain = inner.utf8.contains(UInt8(ascii: ":")) ? String(inner.prefix { $0 != "%" }) : inner
        var (four, sixteen) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, plain, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, plain, &sixteen) == 1 {
            self.init(bytes: withUnsafeBytes(of: sixteen) { Array($0) })
        } else {
            return nil
        }
    }

    /// - Parameter socketAddress: a socket address with the size that its family has.
    /// - Returns: nil if the family is not IP.
    static func read(_ socketAddress: UnsafePointer<sockaddr>) -> (address: IPAddress, port: Int)? {
        let raw = UnsafeRawPointer(socketAddress)
        switch Int32(socketAddress.pointee.sa_family) {
        case AF_INET:
            let four = raw.loadUnaligned(as: sockaddr_in.self)
            let address = IPAddress(bytes: withUnsafeBytes(of: four.sin_addr) { Array($0) })
            return (address, Int(UInt16(bigEndian: four.sin_port)))
        case AF_INET6:
            let six = raw.loadUnaligned(as: sockaddr_in6.self)
            let address = IPAddress(bytes: withUnsafeBytes(of: six.sin6_addr) { Array($0) })
            return (address, Int(UInt16(bigEndian: six.sin6_port)))
        default:
            return nil
        }
    }

    /// False for private, shared, local, reserved, multicast and documentation addresses, as listed in IANA's
    /// registries of special-purpose addresses (RFC 6890). An IPv6 address that embeds an IPv4 address is judged by the
    /// latter.
    package var isPublic: Bool {
        if bytes.count == 4 { return !ReservedNetworks.ofIPv4.contains { $0.contains(bytes) } }
        if let inner = embeddedIPv4 { return inner.isPublic }
        return ReservedNetworks.globalUnicast.contains(bytes)
            && !ReservedNetworks.ofIPv6.contains { $0.contains(bytes) }
    }

    /// The IPv4 address at which a connection to this IPv6 address ends; nil if there is none.
    private var embeddedIPv4: IPAddress? {
        if ReservedNetworks.mapped.contains(bytes) || ReservedNetworks.translated.contains(bytes) {
            return IPAddress(bytes: bytes[12...])
        }
        if ReservedNetworks.sixToFour.contains(bytes) { return IPAddress(bytes: bytes[2..<6]) }
        // ISATAP (RFC 5214 §6.1), with and without the "u" bit, which marks the IPv4 address as globally unique.
        let isISATAP = bytes[8] & 0xFD == 0 && bytes[9...11].elementsEqual([0x00, 0x5E, 0xFE])
        return isISATAP ? IPAddress(bytes: bytes[12...]) : nil
    }
}
