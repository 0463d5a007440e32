internal import Addresses
internal import PhotoModel

/// The identity of the request that an address leads to. Photos with equal keys share one transfer, even if their
/// addresses are written differently.
package struct RequestKey: Hashable, Sendable {
    package let text: String

    init(_ address: RemoteAddress) { text = address.url }

    /// Makes the key of an address. The key of an address that is not usable is its own text.
    package init(_ url: String) {
        do throws(Failure) {
            text = PlainURL.isPlain(url) ? url : try RemoteAddress(url).url
        } catch {
            text = url
        }
    }
}
