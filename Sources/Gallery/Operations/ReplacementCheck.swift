internal import PhotoModel

/// Finds pictures that were replaced by the same bytes at several addresses, for example by a server's notice that they
/// were removed. Only all answers of a build together show this, so the check is made when they have arrived.
struct ReplacementCheck {
    /// The smallest number of addresses that is suspicious.
    static let leastAddresses = 3

    /// The evidence for one new original. Photos that showed the same picture before count once: an address that is
    /// listed in several spellings changes everywhere at once.
    private struct Evidence {
        var earlierOriginals: Set<Digest> = []
        var otherAddresses: Set<Digest> = []

        var isSuspicious: Bool {
            earlierOriginals.count + otherAddresses.count >= ReplacementCheck.leastAddresses
        }
    }

    /// Finds the photos of a build whose picture was replaced.
    /// - Parameters:
    ///   - records: all photos of the list, whose operations have ended.
    ///   - now: the time of the build in seconds since 1970.
    /// - Returns: each of these photos, its new original, and whether that is suspicious.
    static func replacements(
        _ records: [PhotoRecord], now: Int64
    ) -> [(record: PhotoRecord, new: Digest, isSuspicious: Bool)] {
        let replaced = records.compactMap { record in record.replacement.map { (record: record, originals: $0) } }
        guard !replaced.isEmpty else { return [] }
        var evidence: [Digest: Evidence] = [:]
        for (_, originals) in replaced {
            evidence[originals.new, default: Evidence()].earlierOriginals.insert(originals.old)
        }
        for record in records where record.replacement == nil {
            guard let original = record.deliveredOriginal(now: now), let address = record.sourceKey else { continue }
            evidence[original]?.otherAddresses.insert(address)
        }
        return replaced.map { record, originals in
            (record, originals.new, evidence[originals.new]?.isSuspicious == true)
        }
    }
}
