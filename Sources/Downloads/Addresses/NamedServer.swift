internal import PhotoModel

/// A server that the user named by its IP address or as `localhost`, so that it may be this machine.
package struct NamedServer: Sendable {
    private let hostsAndPorts: Set<String>

    /// - Parameters:
    ///   - url: as the user named it.
    ///   - location: where redirects led from there; its port is named with it, if the host is the same.
    /// - Returns: nil for a name that name servers decide on, and for what cannot be asked.
    package init?(_ url: String, leadingTo location: String) {
        do throws(Failure) {
            let (named, found) = (try RemoteAddress(url), try RemoteAddress(location))
            guard HostSpelling.isLiteral(named.host) else { return nil }
            hostsAndPorts = found.host == named.host ? [named.hostAndPort, found.hostAndPort] : [named.hostAndPort]
        } catch {
            return nil
        }
    }

    /// Whether an address asks the very server, at its port.
    package func isAsked(by url: String) -> Bool {
        do throws(Failure) {
            return hostsAndPorts.contains(try RemoteAddress(url).hostAndPort)
        } catch {
            return false
        }
    }
}
