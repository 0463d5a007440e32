import Gallery
import TestSupport
import Testing

@Suite("The order in which pictures are filtered") struct FilterSchedulerTests {
    @Test("Pictures are filtered in the order of the list, in whatever order they become ready")
    func listOrder() {
        var schedule = FilterScheduler<Int>(jobs: 2)
        for place in [3, 1, 5, 2, 4, 0, 9, 8, 7, 6] { schedule.add(place, position: place, cost: 1) }
        #expect(schedule.count == 10)
        #expect(order(&schedule) == Array(0..<10))
    }

    @Test(
        "A long picture at the end of the list is begun when all the others would take as long as it does")
    func longOneLast() {
        var schedule = FilterScheduler<Int>(jobs: 2)
        for place in 0..<30 { schedule.add(place, position: place, cost: 1) }
        schedule.add(30, position: 30, cost: 10)
        // With two jobs, one takes the long picture. The other then needs as long for the 20 others, and for not one
        // fewer.
        #expect(order(&schedule) == Array(0..<10) + [30] + Array(10..<30))
    }

    @Test("A single job keeps to the order of the list")
    func singleJob() {
        var schedule = FilterScheduler<Int>(jobs: 1)
        for place in 0..<5 { schedule.add(place, position: place, cost: place == 4 ? 1_000 : 1) }
        #expect(order(&schedule) == [0, 1, 2, 3, 4])
    }

    @Test("Pictures that become ready later are considered too, and one of unknown cost keeps its position in the list")
    func later() {
        var schedule = FilterScheduler<String>(jobs: 2)
        schedule.add("c", position: 3, cost: 1)
        schedule.add("b", position: 2, cost: 1)
        schedule.add("d", position: 4, cost: 1)
        #expect(schedule.next() == "b")
        schedule.add("long", position: 20, cost: 5)
        schedule.add("a", position: 1, cost: 0)
        #expect(schedule.next() == "long")
        for number in 5..<10 { schedule.add("e\(number)", position: number, cost: 1) }
        #expect(order(&schedule) == ["a", "c", "d", "e5", "e6", "e7", "e8", "e9"])
        #expect(schedule.next() == nil)
    }

    @Test("While half of the jobs filter large pictures, the next small ones go first, unless a large one is long")
    func large() {
        var schedule = FilterScheduler<String>(jobs: 5)
        for place in 0..<20 { schedule.add("\(place)", position: place, cost: 1, isLarge: [1, 2, 4].contains(place)) }
        let taken = [0, 1, 2, 2, 1, 2].map { schedule.next(runningLarge: $0) }
        #expect(taken == ["0", "1", "3", "5", "2", "6"])
        schedule.add("long", position: 20, cost: 10, isLarge: true)
        #expect(schedule.next(runningLarge: 2) == "long")
        #expect(schedule.next(runningLarge: 2) == "7" && schedule.next(runningLarge: 0) == "4")
    }

    @Test("If only large pictures are ready, the next one is filtered, however many are being filtered")
    func onlyLarge() {
        var schedule = FilterScheduler<Int>(jobs: 2)
        for place in 0..<9 { schedule.add(place, position: place, cost: 1, isLarge: true) }
        for place in 0..<9 { #expect(schedule.next(runningLarge: place) == place) }
    }

    @Test("With up to three jobs, one large picture is filtered at a time", arguments: [1, 2, 3])
    func fewJobs(jobs: Int) {
        var schedule = FilterScheduler<String>(jobs: jobs)
        schedule.add("large", position: 0, cost: 1, isLarge: true)
        for place in 1..<9 { schedule.add("small", position: place, cost: 1) }
        #expect(schedule.next(runningLarge: 1) == "small" && schedule.next(runningLarge: 0) == "large")
    }

    @Test("A picture that was taken can be added again at its position, with another cost")
    func again() {
        var schedule = FilterScheduler<String>(jobs: 2)
        for place in 1..<9 { schedule.add("\(place)", position: place, cost: 1) }
        schedule.add("long", position: 20, cost: 8)
        #expect(schedule.next() == "long")
        schedule.add("long", position: 20, cost: 0)
        #expect(order(&schedule) == (1..<9).map { "\($0)" } + ["long"])
        #expect(schedule.count == 0)
    }

    /// Longest-first scheduling takes at most a third longer than the optimum (Graham, 1969), but delays the first
    /// page.
    @Test("A whole list takes hardly longer than with the longest pictures first", arguments: [UInt64(1), 2, 3, 4])
    func wholeLists(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let jobs = Int.random(in: 2...8, using: &random)
            let hasGiants = Bool.random(using: &random)
            let costs = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                hasGiants && Int.random(in: 0..<5, using: &random) == 0
                    ? 50.0 : Double(Int.random(in: 1...100, using: &random)) / (hasGiants ? 100 : 1)
            }
            let longestFirst = length(of: costs.sorted(by: >), jobs: jobs)
            var schedule = FilterScheduler<Double>(jobs: jobs)
            for (place, cost) in costs.enumerated() { schedule.add(cost, position: place, cost: cost) }
            let all = order(&schedule)
            #expect(all.sorted() == costs.sorted())
            #expect(length(of: all, jobs: jobs) <= 1.25 * longestFirst, "seed \(seed): \(costs), \(jobs) jobs")
        }
    }

    @Test(
        "The schedule of thousands of pictures, added in any order, is that of a search through all of them",
        arguments: [1, 40, 2_000])
    func manyAtOnce(disorder: Int) {
        var random = SeededRandom(seed: UInt64(disorder))
        var schedule = FilterScheduler<Int>(jobs: 3)
        var ready: [Int: Double] = [:]
        var coming = Array(0..<2_000)
        for start in stride(from: 0, to: coming.count, by: disorder) {
            coming[start..<min(start + disorder, coming.count)].shuffle(using: &random)
        }
        coming.reverse()
        while !coming.isEmpty || !ready.isEmpty {
            // Phases in which more pictures are added than taken alternate with phases that take almost all of them.
            let isFilling = coming.count / 250 % 2 == 1
            if !coming.isEmpty, Int.random(in: 0..<5, using: &random) > (isFilling ? 0 : 3) {
                let place = coming.removeLast()
                let isLong = Int.random(in: 0..<100, using: &random) == 0
                let cost = isLong ? 1_000_000.0 : Double([1, 1, 1, 2, 400][Int.random(in: 0..<5, using: &random)])
                schedule.add(place, position: place, cost: cost)
                ready[place] = cost
            } else {
                let first = ready.min { $0.key < $1.key }
                let longest = ready.max { ($0.value, -$0.key) < ($1.value, -$1.key) }
                let isLong = longest.map { $0.value * 3 >= ready.values.reduce(0, +) - $0.value } ?? false
                let next = isLong ? longest : first
                guard schedule.next() == next?.key, schedule.count == max(0, ready.count - 1) else {
                    Issue.record("not \(String(describing: next)) of \(ready.count)")
                    return
                }
                if let next { ready[next.key] = nil }
            }
        }
    }

    private func order<Work>(_ schedule: inout FilterScheduler<Work>) -> [Work] {
        var all: [Work] = []
        while let next = schedule.next() { all.append(next) }
        return all
    }

    /// The time that `jobs` parallel jobs take for pictures of these costs, in this order.
    private func length(of costs: [Double], jobs: Int) -> Double {
        var ends = Array(repeating: 0.0, count: jobs)
        for cost in costs {
            let next = ends.indices.min { ends[$0] < ends[$1] } ?? 0
            ends[next] += cost
        }
        return ends.max() ?? 0
    }
}
