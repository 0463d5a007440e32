internal import PhotoModel

/// A server that the user named by its IP address or as `localhost`, so that it may be this machine.
package struct NamedServer: Sendable {
    private let host: String
    /// The ports of the server: two where redirects led to another port.
    package let ports: Set<Int>

    /// - Parameters:
    ///   - url: as the user named it.
    ///   - location: where redirects led from there; its port is named with it, if the host is the same.
    /// - Returns: nil for a name that name servers decide on, and for what cannot be asked.
    package init?(_ url: String, leadingTo location: String) {
        do throws(Failure) {
            let (named, found) = (try RemoteAddress(url), try RemoteAddress(location))
            guard HostnameClassifier.isLiteral(named.host) else { return nil }
            host = named.host
            ports = found.host == named.host ? [named.port, found.port] : [named.port]
        } catch {
            return nil
        }
    }

    /// Whether an address asks the very server, at one of its ports.
    package func isAsked(by url: String) -> Bool {
        do throws(Failure) {
            let address = try RemoteAddress(url)
            return address.host == host && ports.contains(address.port)
        } catch {
            return false
        }
    }
}
