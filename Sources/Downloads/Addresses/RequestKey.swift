internal import Addresses
internal import PhotoModel

/// The request that an address leads to. Photos with equal values share one transfer, however differently their
/// addresses are written.
package struct RequestKey: Hashable, Sendable {
    package let text: String

    init(_ address: RemoteAddress) { text = address.url }

    /// An address that cannot be asked stands for itself.
    package init(_ url: String) {
        do throws(Failure) {
            text = PlainURL.isPlain(url) ? url : try RemoteAddress(url).url
        } catch {
            text = url
        }
    }
}
