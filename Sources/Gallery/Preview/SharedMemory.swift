internal import Ledger
internal import PhotoModel

extension LedgerSnapshot {
    /// Adds what another ledger knows. Of two rows with the same key, the one with the later answer stays.
    ///
    /// A preview and the builds of a gallery have a ledger each, and take over from the other what they lack.
    mutating func merge(_ other: LedgerSnapshot) {
        sources.merge(other.sources) { Self.isLater($1, than: $0) ? $1 : $0 }
        locations.merge(other.locations) { own, _ in own }
        originals.merge(other.originals) { own, _ in own }
        photos.merge(other.photos) { $1.checked > $0.checked ? $1 : $0 }
        albums.merge(other.albums) { own, _ in own }
    }

    /// The rows of addresses and originals that the other ledger has and this one lacks, or has an earlier answer for.
    func missing(from other: LedgerSnapshot) -> (sources: [SourceRow], originals: [OriginalRow]) {
        let sources = other.sources.values.filter { row in
            self.sources[row.key].map { Self.isLater(row, than: $0) } ?? true
        }
        return (sources, other.originals.values.filter { originals[$0.sha256] == nil })
    }

    private static func isLater(_ row: SourceRow, than other: SourceRow) -> Bool {
        time(row.value) > time(other.value)
    }

    /// The time of an address's last answer in seconds since 1970.
    private static func time(_ row: SourceFields) -> Int64 {
        // An address that could not deliver has only the pause that its server asked for.
        [row.validated, row.fetched].compactMap(\.self).max() ?? row.retryAfter ?? 0
    }
}
