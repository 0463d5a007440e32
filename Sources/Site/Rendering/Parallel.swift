internal import Foundation
internal import PhotoModel

/// Computes elements on all cores and passes them on in order.
enum Parallel {
    /// The number of elements that each core computes before all of them are passed on. It is small, so that the
    /// elements need little memory.
    private static let chunkSize = 128
    /// The same number for large elements: a page of sixty photos can have 100 KB.
    static let largeElementChunkSize = 8

    /// The number of active cores; at least 1. It is read once, because Foundation opens files for it each time.
    static let workerCount = max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// Calls `make` for each number in the range, on all cores, and then `use` with each result in order, on the
    /// calling thread.
    /// - Parameter chunkSize: the number of results of each core that are in memory at once.
    static func forEach<Element, Failure: Error>(
        _ range: Range<Int>, chunkSize: Int = chunkSize, _ make: (Int) -> Element,
        _ use: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        try forEach(parts: range, chunkSize: chunkSize, { $0.map(make) }, use)
    }

    /// Does the same, but calls `make` for parts of the range.
    static func forEach<Element, Failure: Error>(
        parts range: Range<Int>, chunkSize: Int = chunkSize, _ make: (Range<Int>) -> [Element],
        _ use: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: chunkSize * workerCount) {
            let part = start..<min(start + chunkSize * workerCount, range.upperBound)
            for element in elements(pieces(of: part), make) { try use(element) }
        }
    }

    /// Calls `work` for parts that make up the range, on all cores.
    static func perform(_ range: Range<Int>, _ work: (Range<Int>) -> Void) {
        let pieces = pieces(of: range)
        // This is safe: concurrentPerform returns after all iterations have ended, while `work` still exists.
        nonisolated(unsafe) let work = work
        DispatchQueue.concurrentPerform(iterations: pieces.count) { work(pieces[$0]) }
    }

    /// Calls `work` for parts that make up the range, on several threads for each core. This is for work that mostly
    /// waits for the disk.
    static func performWaiting(_ range: Range<Int>, _ work: @escaping @Sendable (Range<Int>) -> Void) {
        // A smaller part is done before a thread for it has started.
        let pieces = pieces(of: range, atLeast: 100)
        WaitingWork.perform(count: pieces.count, threads: pieces.count) { work(pieces[$0]) }
    }

    /// Splits a range into some parts for each core. A core that is done with a part takes the next one, so that no
    /// core waits long for another.
    /// - Parameter size: the least number of elements of a part, except the last one.
    private static func pieces(of range: Range<Int>, atLeast size: Int = 1) -> [Range<Int>] {
        let size = max(size, (range.count + workerCount * 4 - 1) / (workerCount * 4))
        return stride(from: range.lowerBound, to: range.upperBound, by: size).map {
            $0..<min($0 + size, range.upperBound)
        }
    }

    private static func elements<Element>(
        _ chunks: [Range<Int>], _ make: (Range<Int>) -> [Element]
    ) -> [Element] {
        var results = [[Element]](repeating: [], count: chunks.count)
        results.withUnsafeMutableBufferPointer { buffer in
            // This is safe: each iteration only writes the slot and reads the chunk with its own number, and
            // concurrentPerform returns after all iterations have ended, while `buffer` and `make` still exist.
            nonisolated(unsafe) let slots = buffer
            nonisolated(unsafe) let make = make
            DispatchQueue.concurrentPerform(iterations: chunks.count) { number in
                slots[number] = make(chunks[number])
            }
        }
        return results.flatMap { $0 }
    }
}
