internal import Downloads
internal import PhotoModel

/// Which addresses several photos of a build have: of any other nothing is held once its photo is done.
package struct SharedSources: Sendable {
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
    package func isUnique(_ record: PhotoRecord) -> Bool {
        guard let source = record.source else { return false }
        return repeated.isEmpty || !repeated.contains(Self.asked(source))
    }

    private static func asked(_ source: Source) -> String {
        guard case .remote(let url) = source.location else { return source.key }
        return AskedAddress(url).text
    }
}
