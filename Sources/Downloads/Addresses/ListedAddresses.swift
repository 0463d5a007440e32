internal import PhotoModel

/// Tells which addresses of a document from the network may go into a list of this machine. There they would count as
/// written here, and open private networks to whoever wrote the document.
package struct ListedAddresses: Sendable {
    /// Host and port of the server that the document came from, as it was asked and where redirects led.
    private let servers: Set<String>
    private let allowsPrivate: Bool

    /// - Parameters:
    ///   - url: of the document, as the user named it.
    ///   - location: where redirects led from there.
    package init(of url: String, foundAt location: String, allowsPrivate: Bool) {
        servers = Set([url, location].compactMap(Self.server))
        self.allowsPrivate = allowsPrivate
    }

    /// Public servers, and the document's own. A name that leads to a private server is refused when it is asked.
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
