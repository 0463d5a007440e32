internal import Manifest

/// Finds the known name that a misspelled name was probably meant to be.
enum NearestName {
    /// - Parameter prefix: the common start of all names, which the comparison ignores.
    /// - Returns: the nearest name; nil if even that differs in more than a third of its letters.
    static func find(_ name: String, in known: [String], after prefix: String = "") -> String? {
        let letters = Array(name.utf8.dropFirst(prefix.utf8.count))
        let scored = known.map { candidate in
            (
                name: candidate,
                distance: EditDistance.between(letters, Array(candidate.utf8.dropFirst(prefix.utf8.count)))
            )
        }
        guard let best = scored.min(by: { $0.distance < $1.distance }), best.distance * 3 <= max(3, letters.count)
        else {
            return nil
        }
        return best.name
    }
}
