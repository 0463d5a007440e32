internal import PhotoModel

/// Decides which addresses of a document from the network may be written to a list on this machine. There, they would
/// count as written here, and open private networks to the author of the document.
package struct ListedAddresses: Sendable {
    /// The host and port of the server that the document came from, as requested and as reached after redirects.
    private let servers: Set<String>
    private let allowsPrivate: Bool

    /// - Parameters:
    ///   - url: the address of the document, as the user wrote it.
    ///   - location: the address after redirects.
    package init(of url: String, foundAt location: String, allowsPrivate: Bool) {
        servers = Set([url, location].compactMap(Self.server))
        self.allowsPrivate = allowsPrivate
    }

    /// Whether an address may be listed: a public server or the document's own may. The spelling decides, so a name
    /// that resolves to a private server is listed, and requested. One that resolves to this machine is refused then.
    package func mayBeListed(_ url: String) -> Bool {
        do throws(Failure) {
            let address = try RemoteAddress(url)
            switch HostnameClassifier.scope(of: address.host) {
            case .global: return true
            case .private where allowsPrivate: return true
            case .private, .machine: return Self.server(url).map(servers.contains) == true
            }
        } catch {
            return false
        }
    }

    private static func server(_ url: String) -> String? {
        do throws(Failure) {
            let address = try RemoteAddress(url)
            return "\(address.host):\(address.port)"
        } catch {
            return nil
        }
    }
}
