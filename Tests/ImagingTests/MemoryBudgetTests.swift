import Foundation
import Imaging
import PhotoModel
import Synchronization
import TestSupport
import Testing

@Suite("Photos wait for one another when they would hold more memory than allowed", .timeLimit(.minutes(1)))
struct MemoryBudgetTests {
    private let budget = MemoryBudget(limit: 100)
    private let log = Observed<[String]>([])

    @Test("Photos that fit into the budget together run together")
    func together() async {
        let gate = Gate()
        run("a", 60, until: gate)
        run("b", 40, until: gate)
        await log.wait { $0.count == 2 }
        gate.open()
        await log.wait { Set($0) == ["a", "b", "a ended", "b ended"] }
    }

    @Test("A photo waits until there is room for it")
    func waits() async throws {
        let gate = Gate()
        run("a", 60, until: gate)
        await log.wait { $0 == ["a"] }
        run("b", 41)
        try await arrival(of: "b", waiting: 1)
        #expect(log.value == ["a"])
        gate.open()
        await log.wait { $0 == ["a", "a ended", "b", "b ended"] }
    }

    @Test("A photo larger than the whole budget is refused at once and takes no room", arguments: [0, 1, 100])
    func tooLarge(limit: Int) throws {
        let budget = MemoryBudget(limit: limit)
        let refusal = ImagingError.picture(.tooMuchMemory(needed: Int64(limit) + 1, limit: Int64(limit)))
        #expect(throws: refusal) {
            try budget.withReservation(for: limit + 1) { Issue.record("the photo was admitted") }
        }
        _ = try budget.withReservation(for: limit) {
            #expect(throws: refusal) { try budget.withReservation(for: limit + 1) {} }
        }
        #expect(try budget.withReservation(for: limit) { budget.waiting } == 0)
    }

    @Test("A large photo is not overtaken by small ones that came later")
    func order() async throws {
        let (first, second) = (Gate(), Gate())
        run("a", 60, until: first)
        await log.wait { $0 == ["a"] }
        run("large", 90, until: second)
        try await arrival(of: "large", waiting: 1)
        run("small", 20)
        try await arrival(of: "small", waiting: 2)
        first.open()
        await log.wait { $0 == ["a", "a ended", "large"] }
        #expect(budget.waiting == 1)
        second.open()
        await log.wait { $0.suffix(3) == ["large ended", "small", "small ended"] }
    }

    @Test("A photo that fails gives its room back")
    func failure() throws {
        for _ in 0..<3 {
            #expect(throws: ImagingError.cancelled) {
                try budget.withReservation(for: 100) { () throws(ImagingError) in throw .cancelled }
            }
        }
        #expect(try budget.withReservation(for: 100) { budget.waiting } == 0)
    }

    @Test("However many photos run together, they never hold more than the budget", arguments: 1...5)
    func sum(seed: UInt64) {
        let held = Mutex(0)
        let budget = budget
        var random = SeededRandom(seed: seed)
        let sizes = (0..<2000).map { _ in Int.random(in: 0...100, using: &random) }
        DispatchQueue.concurrentPerform(iterations: sizes.count) { index in
            #expect(throws: Never.self) {
                try budget.withReservation(for: sizes[index]) {
                    held.withLock { held in
                        held += sizes[index]
                        #expect(held <= 100)
                    }
                    held.withLock { $0 -= sizes[index] }
                }
            }
        }
        #expect(budget.waiting == 0)
    }

    /// Takes room on a thread of its own, and keeps it until the gate opens.
    private func run(_ name: String, _ bytes: Int, until gate: Gate? = nil) {
        let (budget, log) = (budget, log)
        Thread {
            #expect(throws: Never.self) {
                try budget.withReservation(for: bytes) {
                    log.update { $0.append(name) }
                    gate?.wait()
                    log.update { $0.append("\(name) ended") }
                }
            }
        }.start()
    }

    /// Returns when `count` photos wait, the named one last. Fails if the named photo was admitted instead.
    private func arrival(of name: String, waiting count: Int) async throws {
        while budget.waiting < count, !log.value.contains(name), !Task.isCancelled { await Task.yield() }
        try #require(budget.waiting == count)
    }
}
