internal import Foundation

/// Makes things on all cores and hands them over in order.
enum Parallel {
    /// The number of items that a core makes before all cores hand over: so few that their memory does not matter.
    private static let share = 128
    /// The same for large items: a page of sixty photos may have 100 KB.
    static let shareOfLarge = 8

    /// The number of cores in use; at least 1.
    static var workerCount: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// For work that needs nothing of its worker.
    static var nobodies: [Void] { Array(repeating: (), count: workerCount) }

    /// Calls `make` for each number in the range, on as many threads as there are workers, each with a worker of its
    /// own, and `use` with each result in order, on this thread.
    /// - Parameter share: how many results of each worker are held at once.
    static func forEach<Worker, Element, Failure: Error>(
        _ range: Range<Int>, workers: [Worker], share: Int = share, _ make: (Int, Worker) -> Element,
        _ use: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        let batch = share * workers.count
        for start in stride(from: range.lowerBound, to: range.upperBound, by: batch) {
            let shares = workers.indices.map { worker in
                let first = min(start + worker * share, range.upperBound)
                return first..<min(first + share, range.upperBound)
            }
            for element in elements(shares, workers, make) { try use(element) }
        }
    }

    private static func elements<Worker, Element>(
        _ shares: [Range<Int>], _ workers: [Worker], _ make: (Int, Worker) -> Element
    ) -> [Element] {
        var results = [[Element]](repeating: [], count: shares.count)
        results.withUnsafeMutableBufferPointer { buffer in
            // Safe to share: each iteration writes the slot and uses the worker and the share that bear its number,
            // and concurrentPerform returns when all have, while `buffer` and `make` are still there.
            nonisolated(unsafe) let slots = buffer
            nonisolated(unsafe) let (make, workers) = (make, workers)
            DispatchQueue.concurrentPerform(iterations: shares.count) { number in
                slots[number] = shares[number].map { make($0, workers[number]) }
            }
        }
        return results.flatMap { $0 }
    }
}
