import Foundation
import PhotoModel
import Synchronization
import Testing

@testable import Site

@Suite("Elements that are computed on several threads and used in order", .timeLimit(.minutes(4)))
struct PipelineTests {
    private struct Refusal: Error, Equatable {
        let element: Int
    }

    /// The record of a pipeline's work. Each of its pieces has one element.
    private final class Log: Sendable {
        /// How often each piece was computed.
        let computed: Mutex<[Int]>
        /// The number of pieces that were begun.
        let begun = Atomic(0)
        /// The number of elements that were used.
        let used = Atomic(0)
        /// The greatest number of pieces that were begun when an element was not used yet.
        let furthest = Atomic(0)

        init(count: Int) { computed = Mutex([Int](repeating: 0, count: count)) }

        func compute(_ piece: Range<Int>) -> [Int] {
            let begun = begun.add(1, ordering: .relaxed).newValue
            furthest.max(begun - used.load(ordering: .relaxed), ordering: .relaxed)
            computed.withLock { computed in for number in piece { computed[number] += 1 } }
            return Array(piece)
        }
    }

    private func pieces(_ count: Int) -> [Range<Int>] { (0..<count).map { $0..<$0 + 1 } }

    @Test(
        "Each element is computed once, and all are used in order on the calling thread",
        arguments: [0, 1, 2, 127, 128, 129, 5000], [1, 8, 128])
    func order(count: Int, chunkSize: Int) {
        let log = Log(count: count)
        let caller = ObjectIdentifier(Thread.current)
        var used: [Int] = []
        var isOnCaller = true
        Parallel.forEach(parts: 0..<count, chunkSize: chunkSize, log.compute) { number in
            used.append(number)
            isOnCaller = isOnCaller && ObjectIdentifier(Thread.current) == caller
        }
        #expect(used == Array(0..<count))
        #expect(isOnCaller)
        #expect(log.computed.withLock { $0.allSatisfy { $0 == 1 } })
    }

    @Test("Without another thread, the calling one computes all elements")
    func alone() {
        let log = Log(count: 100)
        var used: [Int] = []
        Pipeline(pieces(100), lookAhead: 3, log.compute).run(helpers: 0) { used.append($0) }
        #expect(used == Array(0..<100))
        #expect(log.computed.withLock { $0.allSatisfy { $0 == 1 } })
    }

    /// An element that refers to what it was computed from.
    private final class Resource: Sendable {}

    @Test("At the end, neither elements nor what computes them are retained", arguments: [nil, 0, 2])
    func release(failing: Int?) {
        weak var released: Resource?
        var resource: Resource? = Resource()
        released = resource
        let pipeline = Pipeline(pieces(3), lookAhead: 3) { [resource] piece in
            piece.map { (number: $0, resource: resource) }
        }
        resource = nil
        #expect(released != nil)
        do {
            try pipeline.run(helpers: 1) { element in
                if element.number == failing { throw Refusal(element: element.number) }
            }
            #expect(failing == nil)
        } catch {
            #expect((error as? Refusal)?.element == failing)
        }
        // A thread that is started late retains the pipeline.
        withExtendedLifetime(pipeline) { #expect(released == nil) }
    }

    @Test("An element is used while later ones are computed, so that no thread waits for another")
    func overlap() {
        let lookAhead = 4
        let begun = DispatchSemaphore(value: 0)
        let pipeline = Pipeline(pieces(20), lookAhead: lookAhead) { piece in
            begun.signal()
            return Array(piece)
        }
        var used = 0
        pipeline.run(helpers: 1) { number in
            // The other thread begins all pieces that it may begin, although this one computes nothing.
            if number == 0 { for _ in 0..<lookAhead + 1 { begun.wait() } }
            used += 1
        }
        #expect(used == 20)
    }

    @Test("No thread computes pieces that are far ahead of the element that is used", arguments: [1, 2, 5])
    func bound(lookAhead: Int) {
        let count = 400
        let log = Log(count: count)
        let begun = DispatchSemaphore(value: 0)
        let pipeline = Pipeline(pieces(count), lookAhead: lookAhead) { piece in
            defer { begun.signal() }
            return log.compute(piece)
        }
        pipeline.run(helpers: 3) { number in
            // The other threads begin one more piece after each that was handed over, so this one waits for it.
            if number == 0 { for _ in 0..<lookAhead { begun.wait() } }
            if number < count - lookAhead { begun.wait() }
            log.used.add(1, ordering: .relaxed)
        }
        // The piece of the element that is used was handed over.
        let furthest = log.furthest.load(ordering: .relaxed)
        #expect(furthest <= lookAhead + 1)
    }

    @Test("An error ends the work: what is being computed is completed, and nothing else is begun")
    func error() {
        let caller = ObjectIdentifier(Thread.current)
        let (isBegun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isRefused = Atomic(false)
        let isBlocked = Atomic(false)
        let isCompleted = Atomic(false)
        let begunAfterError = Atomic(0)
        let pipeline = Pipeline(pieces(1000), lookAhead: 8) { piece in
            if isRefused.load(ordering: .relaxed) { begunAfterError.add(1, ordering: .relaxed) }
            // The other thread begins a piece before the error, and completes it some milliseconds after it.
            if ObjectIdentifier(Thread.current) != caller, piece.lowerBound > 0,
                !isBlocked.exchange(true, ordering: .relaxed)
            {
                isBegun.signal()
                goesOn.wait()
                _ = Digest(of: [UInt8](repeating: 1, count: 1 << 23))
                isCompleted.store(true, ordering: .relaxed)
            }
            return Array(piece)
        }
        #expect(throws: Refusal(element: 0)) {
            try pipeline.run(helpers: 1) { (element) throws(Refusal) in
                isBegun.wait()
                isRefused.store(true, ordering: .relaxed)
                goesOn.signal()
                throw Refusal(element: element)
            }
        }
        let result = (isCompleted.load(ordering: .relaxed), begunAfterError.load(ordering: .relaxed))
        #expect(result == (true, 0))
    }
}
