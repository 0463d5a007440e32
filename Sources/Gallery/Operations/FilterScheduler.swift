internal import HeapModule

/// Chooses the next picture to filter: the first of the list, unless a picture takes at least as long as all others
/// that are ready, spread over the jobs. Such a picture starts at once, as all would wait for it in the end.
///
/// This is the rule "longest first", applied as late as it still keeps the tail short, so that large pictures of
/// later pages do not hold up the first page.
package struct FilterScheduler<Work> {
    /// A picture that is ready, ordered by its position in the list.
    private struct Entry: Comparable {
        let position: Int
        let cost: Double
        let number: Int

        static func < (one: Entry, other: Entry) -> Bool { (one.position, one.number) < (other.position, other.number) }
    }

    /// The same, ordered by cost; the larger is the longer, or the earlier of two that are as long.
    private struct Length: Comparable {
        let entry: Entry

        static func < (one: Length, other: Length) -> Bool {
            (one.entry.cost, -one.entry.position) < (other.entry.cost, -other.entry.position)
        }
    }

    private let jobs: Int
    /// The works by the number of their entries. A heap's entry without a work here was taken by way of the other heap.
    private var works: [Int: Work] = [:]
    private var byPlace = Heap<Entry>()
    private var byCost = Heap<Length>()
    private var sum = 0.0
    private var nextNumber = 0

    /// - Parameter jobs: how many pictures are filtered at once, at least 1.
    package init(jobs: Int) {
        precondition(jobs >= 1, "no job would ever filter a picture")
        self.jobs = jobs
    }

    package var count: Int { works.count }

    /// - Parameters:
    ///   - position: in the list. A photo whose original is fetched again takes its position a second time.
    ///   - cost: in any unit that all have in common; finite and at least 0.
    package mutating func add(_ work: Work, position: Int, cost: Double) {
        precondition(cost.isFinite && cost >= 0, "a cost is a number")
        let entry = Entry(position: position, cost: cost, number: nextNumber)
        nextNumber += 1
        works[entry.number] = work
        byPlace.insert(entry)
        byCost.insert(Length(entry: entry))
        sum += cost
    }

    /// Removes and returns the picture to filter next; nil where none is ready.
    package mutating func next() -> Work? {
        while let first = byPlace.min, works[first.number] == nil { byPlace.removeMin() }
        while let longest = byCost.max, works[longest.entry.number] == nil { byCost.removeMax() }
        guard let first = byPlace.min, let longest = byCost.max?.entry else { return nil }
        // A single job ends at the same time in any order.
        let isLong = jobs > 1 && longest.cost * Double(jobs) >= sum - longest.cost
        let entry = isLong ? longest : first
        let work = works.removeValue(forKey: entry.number)
        // No rounding error outlives the last picture.
        sum = works.isEmpty ? 0 : sum - entry.cost
        return work
    }
}
