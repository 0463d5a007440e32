internal import Foundation

/// Makes things on all cores and hands them over in order.
enum Parallel {
    /// The number of items that a core makes before all cores hand over: so few that their memory does not matter.
    private static let share = 128
    /// The same for large items: a page of sixty photos may have 100 KB.
    static let shareOfLarge = 8

    /// The number of cores in use; at least 1.
    static var workerCount: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// Calls `make` for each number in the range, on all cores, and `use` with each result in order, on this thread.
    /// - Parameter share: The number of results of each core that are held at once.
    static func forEach<Element, Failure: Error>(
        _ range: Range<Int>, share: Int = share, _ make: (Int) -> Element,
        _ use: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        let workers = workerCount
        for start in stride(from: range.lowerBound, to: range.upperBound, by: share * workers) {
            let shares = (0..<workers).map { worker in
                let first = min(start + worker * share, range.upperBound)
                return first..<min(first + share, range.upperBound)
            }
            for element in elements(shares, make) { try use(element) }
        }
    }

    private static func elements<Element>(_ shares: [Range<Int>], _ make: (Int) -> Element) -> [Element] {
        var results = [[Element]](repeating: [], count: shares.count)
        results.withUnsafeMutableBufferPointer { buffer in
            // Safe to share: each iteration writes the slot and reads the share of its own number, and
            // concurrentPerform returns when all iterations have ended, while `buffer` and `make` still exist.
            nonisolated(unsafe) let slots = buffer
            nonisolated(unsafe) let make = make
            DispatchQueue.concurrentPerform(iterations: shares.count) { number in
                slots[number] = shares[number].map(make)
            }
        }
        return results.flatMap { $0 }
    }
}
