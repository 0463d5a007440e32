/// The rules on which servers a fetch may reach. They apply to the IP address that a socket connects to, after the name
/// was resolved, so that DNS rebinding gains nothing.
///
/// Public servers are open to every address. Whatever the policy, a redirect from a public server never leads to a
/// server that is not public. Addresses of this machine or its link (`AddressScope.machine`) are never reached by name,
/// but only as an IP address or `localhost` that was written on this machine.
///
/// Behind a proxy, the address of the server is not known here. Then the spelling of a host alone decides
/// (`HostnameClassifier`).
package struct AddressPolicy: Hashable, Sendable {
    /// Whether the address was written on this machine. The host that it names may then be private and, if it is named
    /// by an IP address or `localhost`, this machine.
    package var isLocallyListed: Bool
    /// The ports of that host to which `isLocallyListed` applies; nil for all ports.
    package var ports: Set<Int>?
    /// Whether private networks are open to the address and to the targets of its redirects.
    package var allowsPrivate: Bool

    package init(isLocallyListed: Bool, ports: Set<Int>? = nil, allowsPrivate: Bool) {
        self.isLocallyListed = isLocallyListed
        self.ports = ports
        self.allowsPrivate = allowsPrivate
    }

    /// The policy for addresses that come from the network.
    package static let publicOnly = AddressPolicy(isLocallyListed: false, allowsPrivate: false)
    /// The policy for addresses that were written on this machine.
    package static let namedHost = AddressPolicy(isLocallyListed: true, allowsPrivate: false)
    /// The policy for addresses that come from the network, if the user opens private networks to them.
    package static let privateNetworks = AddressPolicy(isLocallyListed: false, allowsPrivate: true)
}
