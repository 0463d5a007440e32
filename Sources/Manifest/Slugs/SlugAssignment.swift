internal import PhotoModel

/// The rule by which photos and albums get their slugs.
struct SlugAssignment {
    /// A photo or an album that needs a slug.
    struct Candidate {
        /// The text that the readable part is derived from.
        let text: String
        /// The input of the short hash, which differs between all candidates.
        let hashed: [String]
        /// The slug of an earlier build; nil if there is none.
        let remembered: String?
    }

    /// The numbers of hexadecimal digits of the hash. In a list of 100,000 names in Chinese, so many photos share a
    /// readable part that 32 bits may not tell them apart. Candidates that clash get more digits, up to the whole
    /// digest.
    private static let hashLengths = [8, 16, 32, 64]

    /// The readable part for a name without usable characters.
    let kind: String
    /// The slugs that are or were in use, and are not given to another candidate.
    private let taken: Set<String>

    init(kind: String, taken: some Sequence<String>) {
        self.kind = kind
        self.taken = Set(taken)
    }

    /// A slug for each candidate, in their order; all differ.
    func slugs(for candidates: [Candidate]) -> [String] {
        var slugs = remembered(candidates)
        let room = SlugText.maximumLength - 1 - Self.hashLengths[0]
        let bases = candidates.map { SlugText.make(from: $0.text, kind: kind, maximumLength: room) }
        let shared = Set(Duplicates.indices(in: bases))

        var pending: [Int] = []
        for (index, base) in bases.enumerated() where slugs[index] == nil {
            if !base.isEmpty, !shared.contains(index), !taken.contains(base) {
                slugs[index] = base
            } else {
                pending.append(index)
            }
        }
        // This set is needed only if there are pending candidates, which most lists do not have.
        var used = pending.isEmpty ? [] : taken.union(slugs.lazy.compactMap { $0 })
        let digests = Dictionary(
            uniqueKeysWithValues: pending.map { ($0, Digest(of: candidates[$0].hashed.joined(separator: "\u{0}"))) })
        for length in Self.hashLengths where !pending.isEmpty {
            let hashed = pending.map { index in
                let base = bases[index].isEmpty ? kind : bases[index]
                let readable = SlugText.cut(Array(base.utf8), to: SlugText.maximumLength - 1 - length)
                return (index: index, slug: "\(readable)-\(digests[index]?.prefix(length) ?? "")")
            }
            let clashes = Dictionary(grouping: hashed, by: \.slug).filter {
                $0.value.count > 1 || used.contains($0.key)
            }
            for (index, slug) in hashed where clashes[slug] == nil {
                slugs[index] = slug
                used.insert(slug)
            }
            pending = hashed.filter { clashes[$0.slug] != nil }.map(\.index)
        }
        return slugs.map { slug in
            guard let slug else { preconditionFailure("two candidates with the same SHA-256") }
            return slug
        }
    }

    /// The earlier slug of each candidate; nil if there is no valid one, or if two candidates claim the same.
    private func remembered(_ candidates: [Candidate]) -> [String?] {
        var slugs = candidates.map { candidate in candidate.remembered.flatMap { SlugText.isValid($0) ? $0 : nil } }
        let claimed = slugs.indices.filter { slugs[$0] != nil }
        for index in Duplicates.indices(in: claimed.map { slugs[$0] }) { slugs[claimed[index]] = nil }
        return slugs
    }
}
