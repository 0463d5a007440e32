internal import PhotoModel

/// A server that the user named by its IP address or as `localhost`, so that it can be this machine.
package struct NamedServer: Sendable {
    private let host: String
    /// The ports of the server; two if redirects led to another port.
    package let ports: Set<Int>

    /// - Parameters:
    ///   - url: the address as the user wrote it.
    ///   - location: the address after redirects. Its port is included if the host is the same.
    /// - Returns: nil if name servers decide where the host is, or if an address is not usable.
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

    /// Whether an address leads to this very server, at one of its ports.
    package func isTarget(of url: String) -> Bool {
        do throws(Failure) {
            let address = try RemoteAddress(url)
            return address.host == host && ports.contains(address.port)
        } catch {
            return false
        }
    }
}
