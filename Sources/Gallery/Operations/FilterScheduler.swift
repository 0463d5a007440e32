internal import HeapModule

/// Chooses the next picture to filter. This is the first picture of the list, unless another one takes at least as long
/// as all other ready pictures together, spread over the jobs. Such a picture starts at once, because all jobs would
/// wait for it in the end.
///
/// This is longest-first scheduling, applied only when the long picture would otherwise end last. So large pictures of
/// later pages do not delay the first page.
///
/// Among the other pictures, those that hold much memory wait while half of the jobs (rounded down, but at least one)
/// filter such pictures and smaller ones are ready. Otherwise neighbours in the list could double the memory of a
/// build, without making it faster.
package struct FilterScheduler<Work> {
    /// A picture that is ready, ordered by its position in the list.
    private struct Entry: Comparable {
        let position: Int
        let cost: Double
        let number: Int

        static func < (one: Entry, other: Entry) -> Bool { (one.position, one.number) < (other.position, other.number) }
    }

    /// An entry ordered by cost. Of two entries with the same cost, the one that is earlier in the list is greater.
    private struct Length: Comparable {
        let entry: Entry

        static func < (one: Length, other: Length) -> Bool {
            (one.entry.cost, -one.entry.position) < (other.entry.cost, -other.entry.position)
        }
    }

    private let jobs: Int
    /// The work items by the numbers of their entries. A heap entry whose number is missing here was taken through the
    /// other heap.
    private var works: [Int: Work] = [:]
    private var byPosition = Heap<Entry>()
    /// The entries of pictures that hold much memory. They are not in `byPosition`.
    private var largeByPosition = Heap<Entry>()
    private var byCost = Heap<Length>()
    private var sum = 0.0
    private var nextNumber = 0

    /// - Parameter jobs: the number of pictures filtered at once, at least 1.
    package init(jobs: Int) {
        precondition(jobs >= 1, "no job would ever filter a picture")
        self.jobs = jobs
    }

    package var count: Int { works.count }

    /// - Parameters:
    ///   - position: the position of the photo in the list. A photo whose original is fetched again is added with the
    ///     same position.
    ///   - cost: the cost, finite and at least 0, in the same unit for all pictures.
    ///   - isLarge: whether the picture holds much memory while it is filtered.
    package mutating func add(_ work: Work, position: Int, cost: Double, isLarge: Bool = false) {
        precondition(cost.isFinite && cost >= 0, "a cost is a number")
        let entry = Entry(position: position, cost: cost, number: nextNumber)
        nextNumber += 1
        works[entry.number] = work
        if isLarge { largeByPosition.insert(entry) } else { byPosition.insert(entry) }
        byCost.insert(Length(entry: entry))
        sum += cost
    }

    /// Removes and returns the picture to filter next; nil if none is ready.
    /// - Parameter large: the number of pictures that are being filtered and hold much memory.
    package mutating func next(runningLarge large: Int = 0) -> Work? {
        let small = Self.first(of: &byPosition, in: works)
        let firstLarge = Self.first(of: &largeByPosition, in: works)
        while let longest = byCost.max, works[longest.entry.number] == nil { byCost.removeMax() }
        let allowed = large < max(1, jobs / 2) || small == nil ? firstLarge : nil
        guard let first = [small, allowed].compactMap(\.self).min(), let longest = byCost.max?.entry else { return nil }
        // With a single job, the order does not change the time at which the last picture is done.
        let isLong = jobs > 1 && longest.cost * Double(jobs) >= sum - longest.cost
        let entry = isLong ? longest : first
        let work = works.removeValue(forKey: entry.number)
        // The sum is reset when no work is left, so that rounding errors don't accumulate.
        sum = works.isEmpty ? 0 : sum - entry.cost
        return work
    }

    /// The first entry of a heap that was not taken through `byCost`.
    private static func first(of heap: inout Heap<Entry>, in works: [Int: Work]) -> Entry? {
        while let first = heap.min, works[first.number] == nil { heap.removeMin() }
        return heap.min
    }
}
