internal import Foundation

/// An IP address, as far as it must be known to tell whether it belongs to the public internet.
package struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes of the address, most significant first.
    let bytes: [UInt8]

    init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// - Parameter text: dotted decimal or RFC 4291, with or without brackets and zone. The other spellings of IPv4
    ///   (decimal, octal, hexadecimal) are dotted decimal by the time that libcurl has read an address.
    package init?(_ text: some StringProtocol) {
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
        // Only IPv6 has zones: "8.8.8.8%.internal" is a name.
        let plain = inner.contains(":") ? String(inner.prefix { $0 != "%" }) : inner
        var (four, sixteen) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, plain, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, plain, &sixteen) == 1 {
            self.init(bytes: withUnsafeBytes(of: sixteen) { Array($0) })
        } else {
            return nil
        }
    }

    /// - Parameter socketAddress: as long as its family says.
    /// - Returns: nil for a family that is not IP.
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

    /// False for what is private, shared, local, reserved, multicast or for documentation, in the registries of IANA
    /// for special-purpose addresses (RFC 6890); an IPv6 address that stands for an IPv4 one is judged by that.
    package var isPublic: Bool {
        if bytes.count == 4 { return !ReservedNetworks.ofIPv4.contains { $0.contains(bytes) } }
        if let inner = embeddedIPv4 { return inner.isPublic }
        return ReservedNetworks.globalUnicast.contains(bytes)
            && !ReservedNetworks.ofIPv6.contains { $0.contains(bytes) }
    }

    /// The IPv4 address that a connection to this IPv6 address ends at.
    private var embeddedIPv4: IPAddress? {
        if ReservedNetworks.mapped.contains(bytes) || ReservedNetworks.translated.contains(bytes) {
            return IPAddress(bytes: bytes[12...])
        }
        if ReservedNetworks.sixToFour.contains(bytes) { return IPAddress(bytes: bytes[2..<6]) }
        // ISATAP (RFC 5214 §6.1), with and without the bit that calls the IPv4 address unique.
        let isISATAP = bytes[8] & 0xFD == 0 && bytes[9...11].elementsEqual([0x00, 0x5E, 0xFE])
        return isISATAP ? IPAddress(bytes: bytes[12...]) : nil
    }
}
