internal import PhotoModel

/// Which addresses several photos of a build have: of any other nothing is held once its photo is done.
package struct RepeatedAddresses: Sendable {
    private let repeated: Set<String>

    package init(_ records: [PhotoRecord]) {
        var seen: Set<String> = []
        var repeated: Set<String> = []
        seen.reserveCapacity(records.count)
        for source in records.lazy.compactMap(\.source) {
            let asked = Self.asked(source)
            if !seen.insert(asked).inserted { repeated.insert(asked) }
        }
        self.repeated = repeated
    }

    /// Whether no other photo has the address of this one, whatever else is written with it.
    func lack(_ record: PhotoRecord) -> Bool {
        guard let source = record.source else { return false }
        return !repeated.contains(Self.asked(source))
    }

    /// What a server is asked for: without a fragment and without a user. The same text where it has neither, as most.
    private static func asked(_ source: Source) -> String {
        guard case .remote(let url) = source.location else { return source.key }
        let bytes = url.utf8
        guard bytes.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "@") }) else { return url }
        let address = url.prefix { $0 != "#" }
        guard let start = address.firstRange(of: "://")?.upperBound else { return String(address) }
        let end = address[start...].firstIndex(of: "/") ?? address.endIndex
        let host = address[start..<end].lastIndex(of: "@").map { address.index(after: $0) } ?? start
        return String(address[..<start] + address[host...])
    }
}
