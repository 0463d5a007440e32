/// The order in which pictures that are ready are worked on: that of the list, first page first, but one that takes so long that all
/// others could be done beside it is begun at once, since otherwise all would wait for it in the end.
///
/// It takes that long when its cost is at least what the others cost by the number of jobs: the rule of the longest first, as late as
/// it still keeps the tail short, so that the first page is not held up by large pictures of later ones.
package struct Schedule<Work> {
    private struct Entry {
        let work: Work
        let place: Int
        let cost: Double

        func isCheaper(than other: Entry) -> Bool { (cost, -place) < (other.cost, -other.place) }
    }

    private let jobs: Int
    /// Those to begin with come last. Some thousand are ready at most, and moving that many costs less than a tree would.
    private var byPlace: [Entry] = []
    private var byCost: [Entry] = []
    private var sum = 0.0

    /// - Parameter jobs: how many are worked on at once, at least 1.
    package init(jobs: Int) {
        precondition(jobs >= 1, "somebody has to work")
        self.jobs = jobs
    }

    package var count: Int { byPlace.count }

    /// - Parameters:
    ///   - place: in the list; no two have the same.
    ///   - cost: in any unit that all have in common; finite and at least 0.
    package mutating func add(_ work: Work, place: Int, cost: Double) {
        let entry = Entry(work: work, place: place, cost: cost)
        byPlace.insert(entry, at: byPlace.prefixLength { $0.place > place })
        byCost.insert(entry, at: byCost.prefixLength { $0.isCheaper(than: entry) })
        sum += cost
    }

    /// Takes out what is to be begun next; nil where nothing is ready.
    package mutating func next() -> Work? {
        guard let first = byPlace.last, let longest = byCost.last else { return nil }
        // A single job ends at the same time in any order.
        let isLong = jobs > 1 && longest.cost * Double(jobs) >= sum - longest.cost
        let entry = isLong ? longest : first
        byPlace.remove(at: byPlace.prefixLength { $0.place > entry.place })
        byCost.remove(at: byCost.prefixLength { $0.isCheaper(than: entry) })
        // Nothing of what was rounded stays.
        sum = byPlace.isEmpty ? 0 : sum - entry.cost
        return entry.work
    }
}

extension Array {
    /// How many elements come before the first of which `isBefore` does not hold; all of them stand before all others.
    fileprivate func prefixLength(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
