internal import Manifest

/// Replaces addresses of photos in a property list. Every other byte stays unchanged.
package struct AddressReplacement {
    /// The new list.
    package private(set) var bytes: [UInt8]
    /// The number of addresses that were replaced.
    package private(set) var count = 0

    /// - Parameters:
    ///   - bytes: a list that `ManifestReader` can read.
    ///   - list: the absolute path of the list.
    ///   - addresses: the new addresses by the URLs that they replace, in the form of `Source.location`.
    /// - Throws: `ImportError.listIsNotUTF8`, `.unreadableResult`.
    package init(
        in bytes: [UInt8], list: String, replacing addresses: [String: String]
    ) throws(ImportError) {
        guard PropertyListText.isUTF8(bytes) else { throw .listIsNotUTF8 }
        self.bytes = bytes
        let text = PropertyListText(bytes)
        guard let root = text.root else { return }
        var places: [(range: Range<Int>, address: String)] = []
        Self.collect(root, addresses, &places)
        // Later ranges first, so that the earlier ones stay valid.
        for (range, address) in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            self.bytes.replaceSubrange(range, with: "<string>\(PropertyListWriter.escaped(address))</string>".utf8)
        }
        count = places.count
        do {
            _ = try ManifestReader(origin: .file(path: list, shown: list)).read(self.bytes)
        } catch {
            throw .unreadableResult(error.description)
        }
    }

    /// Collects the elements with an address to replace. The depth of the recursion is limited by that of albums, which
    /// the reader of the list has checked.
    private static func collect(
        _ element: PropertyListText.Element, _ addresses: [String: String],
        _ places: inout [(range: Range<Int>, address: String)]
    ) {
        for member in element.members {
            guard let all = member.value.addresses else {
                collect(member.value, addresses, &places)
                continue
            }
            for written in all {
                if let url = WrittenAddress.url(written.text), let new = addresses[url] {
                    places.append((written.range, new))
                }
            }
        }
    }
}
