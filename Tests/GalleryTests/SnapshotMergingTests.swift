import Ledger
import PhotoModel
import TestSupport
import Testing

@testable import Gallery

/// Which row counts when a preview and a build know the same address.
@Suite("What previews and builds know of addresses") struct SnapshotMergingTests {
    private static let key: Digest = "01"
    private static let delivered = SourceRow(
        key: key, sha256: "0a", bytes: 9, etag: "\"a\"", validated: 1_000, fetched: 900)

    private static func snapshot(_ row: SourceRow) -> LedgerSnapshot {
        var snapshot = LedgerSnapshot()
        snapshot.sources[row.key] = row
        return snapshot
    }

    /// Expects that a row stays when the other one is offered, in both directions.
    private func expect(_ kept: SourceRow, over other: SourceRow) {
        for (own, offered) in [(kept, other), (other, kept)] {
            var merged = Self.snapshot(own)
            merged.merge(Self.snapshot(offered))
            #expect(merged.sources[Self.key] == kept)
            let missing = Self.snapshot(own).missing(from: Self.snapshot(offered)).sources
            #expect(missing == (offered == kept ? [kept] : []))
        }
    }

    @Test("A pause that a server asked for replaces no original")
    func pause() {
        let paused = SourceRow(key: Self.key, sha256: nil, bytes: 0, retryAfter: 5_000, retryStatus: 429)
        expect(Self.delivered, over: paused)
    }

    @Test("Content that was refused replaces no original")
    func refusal() {
        let refused = SourceRow(key: Self.key, sha256: nil, bytes: 0, etag: "\"b\"", validated: 2_000, refusal: "html")
        expect(Self.delivered, over: refused)
    }

    @Test("The later of two answers counts")
    func later() {
        let later = SourceRow(key: Self.key, sha256: "0b", bytes: 9, validated: 1_001, fetched: 1_001)
        expect(later, over: Self.delivered)
    }

    @Test("A pause that a server asked for after the same answer counts")
    func pauseOfSameAnswer() {
        var paused = Self.delivered.value
        (paused.retryAfter, paused.retryStatus) = (5_000, 429)
        expect(SourceRow(paused), over: Self.delivered)
    }

    @Test("The longer of two pauses counts")
    func pauses() {
        let pauses = [5_000, 4_000].map { SourceRow(key: Self.key, sha256: nil, bytes: 0, retryAfter: $0) }
        expect(pauses[0], over: pauses[1])
    }
}
