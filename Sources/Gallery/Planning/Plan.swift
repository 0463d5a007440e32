package import Downloads
package import Ledger

/// What a build has to do, decided from values alone before anything is done: the list, the settings, what is remembered,
/// what stands on the disk, and the clock.
package struct Plan: Sendable {
    /// Parallel to the records.
    package let photos: [PhotoVerdict]
    package let site: [SiteVerdict]
    /// Whether rows are to be written though nothing is to be done: what is remembered lacks what this version remembers.
    let hasNews: Bool

    /// Whether readers have something to wait for.
    var isToChange: Bool { photos.contains(where: \.isToChange) }

    package var isNothing: Bool { site.isEmpty && photos.allSatisfy(\.isNothing) }

    /// - Parameters:
    ///   - site: what is remembered of the output folder, without its files; nil if it was never published to.
    ///   - maxAge: how long an original counts as fresh.
    ///   - now: the real time, seconds since 1970.
    ///   - isForced: everything is done again.
    package init(
        records: [PhotoRecord], inputs: SiteInputs, snapshot: LedgerSnapshot, site: SiteRow?, standing: Standing,
        maxAge: MaxAge, now: Int64, isForced: Bool
    ) {
        let judge = PhotoJudge(
            snapshot: snapshot, standing: standing, maxAge: maxAge, now: now, isForced: isForced)
        photos = records.map { judge.verdict(on: $0) }
        hasNews =
            zip(records, photos).contains { record, verdict in
                guard verdict.isNothing, let row = record.remembered else { return false }
                return row.recipe != record.recipe.text || row.slug != record.slug || row.key != record.key
                    || row.source != record.sourceKey
            }
        self.site = Self.site(
            records, inputs: inputs, snapshot: snapshot, site: site, standing: standing, isForced: isForced)
    }

    private static func site(
        _ records: [PhotoRecord], inputs: SiteInputs, snapshot: LedgerSnapshot, site: SiteRow?, standing: Standing,
        isForced: Bool
    ) -> [SiteVerdict] {
        var verdicts: [SiteVerdict] = []
        if isForced { verdicts.append(.forced) }
        if let site {
            if let old = site.inputs {
                if old != inputs.text { verdicts += inputs.changes(since: old) }
                if site.revision != snapshot.revision { verdicts.append(.photosChanged) }
            } else {
                verdicts.append(.unknown)
            }
        } else {
            verdicts.append(.first)
        }
        let remembered = records.count { $0.remembered != nil }
        if remembered < snapshot.photos.count {
            let kept = Set(records.compactMap { $0.remembered?.key })
            // One that moved to another album, say, may have kept its page.
            let slugs = Set(records.map(\.slug))
            let gone = snapshot.photos.values.filter { !kept.contains($0.key) && !slugs.contains($0.slug) }
                .map { "photo/\($0.slug).html" }
            verdicts += gone.sorted().map { .removed(path: $0) }
        }
        verdicts += standing.damaged.sorted().map { .damaged(path: $0) }
        if standing.hasLeftovers { verdicts.append(.leftovers) }
        if standing.otherPermissions > 0 { verdicts.append(.otherPermissions(standing.otherPermissions)) }
        return verdicts
    }
}
