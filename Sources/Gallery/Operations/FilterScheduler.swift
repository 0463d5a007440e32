/// The order in which pictures that are ready are worked on: that of the list, first page first, but one that takes so long that all
/// others could be done beside it is begun at once, since otherwise all would wait for it in the end.
///
/// It takes that long when its cost is at least what the others cost by the number of jobs: the rule of the longest first, as late as
/// it still keeps the tail short, so that the first page is not held up by large pictures of later ones.
package struct FilterScheduler<Work> {
    /// In the order of the list.
    private struct Turn: Comparable {
        let place: Int
        let cost: Double

        static func < (one: Turn, other: Turn) -> Bool { one.place < other.place }
    }

    /// The longest first, and of those that are as long that of the first place.
    private struct Length: Comparable {
        let turn: Turn

        static func < (one: Length, other: Length) -> Bool {
            (-one.turn.cost, one.turn) < (-other.turn.cost, other.turn)
        }
    }

    private let jobs: Int
    /// By place.
    private var works: [Int: Work] = [:]
    private var turns = SortedQueue<Turn>()
    private var lengths = SortedQueue<Length>()
    private var sum = 0.0

    /// - Parameter jobs: how many are worked on at once, at least 1.
    package init(jobs: Int) {
        precondition(jobs >= 1, "somebody has to work")
        self.jobs = jobs
    }

    package var count: Int { works.count }

    /// - Parameters:
    ///   - place: in the list; no two have the same.
    ///   - cost: in any unit that all have in common; finite and at least 0.
    package mutating func add(_ work: Work, place: Int, cost: Double) {
        precondition(works[place] == nil, "what has no place of its own would be lost")
        precondition(cost.isFinite && cost >= 0, "what costs no number has no place among the others")
        let turn = Turn(place: place, cost: cost)
        works[place] = work
        turns.insert(turn)
        lengths.insert(Length(turn: turn))
        sum += cost
    }

    /// Takes out what is to be begun next; nil where nothing is ready.
    package mutating func next() -> Work? {
        guard let first = turns.first, let longest = lengths.first?.turn else { return nil }
        // A single job ends at the same time in any order.
        let isLong = jobs > 1 && longest.cost * Double(jobs) >= sum - longest.cost
        let turn = isLong ? longest : first
        turns.remove(turn)
        lengths.remove(Length(turn: turn))
        let work = works.removeValue(forKey: turn.place)
        // Nothing of what was rounded stays.
        sum = works.isEmpty ? 0 : sum - turn.cost
        return work
    }
}
