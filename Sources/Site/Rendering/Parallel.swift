internal import Foundation

/// Computes elements on all cores and passes them on in order.
enum Parallel {
    /// The number of elements that each core computes before all of them are passed on. It is small, so that the
    /// elements need little memory.
    private static let chunkSize = 128
    /// The same number for large elements: a page of sixty photos can have 100 KB.
    static let largeElementChunkSize = 8

    /// The number of active cores; at least 1.
    static var workerCount: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// Calls `make` for each number in the range, on all cores, and then `use` with each result in order, on the
    /// calling thread.
    /// - Parameter chunkSize: the number of results of each core that are in memory at once.
    static func forEach<Element, Failure: Error>(
        _ range: Range<Int>, chunkSize: Int = chunkSize, _ make: (Int) -> Element,
        _ use: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        let workers = workerCount
        for start in stride(from: range.lowerBound, to: range.upperBound, by: chunkSize * workers) {
            let chunks = (0..<workers).map { worker in
                let first = min(start + worker * chunkSize, range.upperBound)
                return first..<min(first + chunkSize, range.upperBound)
            }
            for element in elements(chunks, make) { try use(element) }
        }
    }

    private static func elements<Element>(_ chunks: [Range<Int>], _ make: (Int) -> Element) -> [Element] {
        var results = [[Element]](repeating: [], count: chunks.count)
        results.withUnsafeMutableBufferPointer { buffer in
            // This is safe: each iteration only writes the slot and reads the chunk with its own number, and
            // concurrentPerform returns after all iterations have ended, while `buffer` and `make` still exist.
            nonisolated(unsafe) let slots = buffer
            nonisolated(unsafe) let make = make
            DispatchQueue.concurrentPerform(iterations: chunks.count) { number in
                slots[number] = chunks[number].map(make)
            }
        }
        return results.flatMap { $0 }
    }
}
