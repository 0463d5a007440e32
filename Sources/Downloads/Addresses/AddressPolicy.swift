/// Which servers a fetch may reach. It is decided on the address that a socket connects to, after the name was looked
/// up, so that a name which suddenly means another machine gains nothing.
///
/// Private stands for all that is not the public internet: see `NetworkAddress.isPublic`. Whatever the policy, a server
/// of the public internet never leads to a private one by a redirect.
///
/// Through a proxy nobody here sees the address of the server: then private hosts are told by their spelling alone
/// (`HostSpelling`).
package enum AddressPolicy: Hashable, Sendable {
    /// Public servers only: for addresses that come from the network themselves.
    case publicOnly
    /// Also the host that the address names, wherever that is; but no other private one, by no redirect. For addresses
    /// that somebody wrote down on this machine.
    case namedHost
    /// Also private servers, and those that they redirect to.
    case privateNetworks
}
