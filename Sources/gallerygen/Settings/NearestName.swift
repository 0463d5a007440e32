/// Finds the known name that a misspelled one was probably meant to be.
enum NearestName {
    /// - Returns: nil when none is near: more than a third of the letters differ.
    static func find(_ name: String, in known: [String]) -> String? {
        let scored = known.map { (name: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
        guard let best = scored.min(by: { $0.distance < $1.distance }), best.distance * 3 <= max(3, name.utf8.count)
        else { return nil }
        return best.name
    }

    /// Levenshtein's edit distance.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var previous = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let substitution = previous[column] + (byte == other ? 0 : 1)
                current.append(min(substitution, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[right.count]
    }
}
