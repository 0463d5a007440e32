/// Which servers a fetch may reach. It is decided on the address that a socket connects to, after the name was looked
/// up, so that DNS rebinding gains nothing.
///
/// Public servers are open to everybody. Whatever the policy, a server of the public internet never leads to another by
/// a redirect. Addresses of this machine or its link (`AddressScope.machine`) are never reached by name: only as an IP
/// address or `localhost` that somebody on this machine wrote down.
///
/// Through a proxy nobody here sees the address of the server: then hosts are told by their spelling alone
/// (`HostnameClassifier`).
package struct AddressPolicy: Hashable, Sendable {
    /// The address was written on this machine: the host that it names may be private and, named by an IP address or
    /// `localhost`, this machine.
    package var isWrittenHere: Bool
    /// The ports of that host for which it holds; nil: all.
    package var ports: Set<Int>?
    /// Private networks are open to it, and to those that it is redirected to.
    package var allowsPrivate: Bool

    package init(isWrittenHere: Bool, ports: Set<Int>? = nil, allowsPrivate: Bool) {
        self.isWrittenHere = isWrittenHere
        self.ports = ports
        self.allowsPrivate = allowsPrivate
    }

    /// The policy for addresses that come from the network themselves.
    package static let publicOnly = AddressPolicy(isWrittenHere: false, allowsPrivate: false)
    /// The policy for addresses that somebody wrote down on this machine.
    package static let namedHost = AddressPolicy(isWrittenHere: true, allowsPrivate: false)
    /// The policy for addresses that come from the network, where the user opens private networks to them.
    package static let privateNetworks = AddressPolicy(isWrittenHere: false, allowsPrivate: true)
}
