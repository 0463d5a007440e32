internal import Ledger
internal import PhotoModel

extension LedgerSnapshot {
    /// The content of a preview's ledger together with that of the ledger of builds.
    static func ofPreview(
        _ ledger: Ledger, _ options: BuildOptions, warn: (String) -> Void
    ) throws(GalleryError) -> LedgerSnapshot {
        var snapshot = try of(ledger)
        let history = try BuildHistory(options, warn: warn)
        snapshot.merge(history.snapshot)
        history.ledger?.close()
        return snapshot
    }

    static func of(_ ledger: Ledger) throws(GalleryError) -> LedgerSnapshot {
        do {
            return try ledger.snapshot()
        } catch {
            throw GalleryError(error)
        }
    }

    /// Adds what another ledger knows. Of two rows with the same key, the one with the later answer stays. One without
    /// an answer never replaces one with an answer.
    ///
    /// A preview and the builds of a gallery have a ledger each, and take over from the other what they lack.
    mutating func merge(_ other: LedgerSnapshot) {
        for row in other.sources.values { add(row) }
        locations.merge(other.locations) { own, _ in own }
        originals.merge(other.originals) { own, _ in own }
        photos.merge(other.photos) { $1.checked > $0.checked ? $1 : $0 }
        albums.merge(other.albums) { own, _ in own }
    }

    /// Adds the row of an address, unless the snapshot has one with a later answer.
    mutating func add(_ row: SourceRow) {
        if let own = sources[row.key], !Self.isLater(row, than: own) { return }
        sources[row.key] = row
    }

    /// The rows of addresses and originals that the other ledger has and this one lacks, or has an earlier answer for.
    func missing(from other: LedgerSnapshot) -> (sources: [SourceRow], originals: [OriginalRow]) {
        let sources = other.sources.values.filter { row in
            self.sources[row.key].map { Self.isLater(row, than: $0) } ?? true
        }
        return (sources, other.originals.values.filter { originals[$0.sha256] == nil })
    }

    private static func isLater(_ row: SourceRow, than other: SourceRow) -> Bool {
        switch (answered(row), answered(other)) {
        case (let time?, let known?):
            // An answer without an original is a refusal, and takes none away.
            if (row.sha256 == nil) != (other.sha256 == nil) { return other.sha256 == nil }
            if time != known { return time > known }
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil): break
        }
        // A pause that the server asked for leaves the time of the answer as it was.
        return (row.retryAfter ?? 0) > (other.retryAfter ?? 0)
    }

    /// The time at which an address last delivered, in seconds since 1970; nil if it never did. The end of a pause lies
    /// in the future, so it can't be compared with this.
    private static func answered(_ row: SourceRow) -> Int64? {
        [row.validated, row.fetched].compactMap(\.self).max()
    }
}
