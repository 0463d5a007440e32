internal import Foundation
internal import PhotoModel
internal import Synchronization

/// Computes elements on all cores and passes them on in order.
enum Parallel {
    /// The number of elements for each core that are computed ahead of the one that is passed on. It is small, so that
    /// the elements need little memory.
    private static let chunkSize = 128
    /// The same number for large elements: a page of sixty photos can have 100 KB.
    static let largeElementChunkSize = 8

    /// The number of active cores; at least 1. It is read once, because Foundation opens files for it each time.
    static let workerCount = max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// Calls `make` for each number in the range, on all cores, and `use` with each result in order, on the calling
    /// thread. Results are used while others are made.
    /// - Parameter chunkSize: about the number of results for each core that are in memory at once. Less than 4 counts
    ///   as 4.
    static func forEach<Element: Sendable, Failure: Error>(
        _ range: Range<Int>, chunkSize: Int = chunkSize, _ make: @escaping @Sendable (Int) -> Element,
        _ use: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        try forEach(parts: range, chunkSize: chunkSize, { $0.map(make) }, use)
    }

    /// Does the same, but calls `make` for parts of the range.
    static func forEach<Element: Sendable, Failure: Error>(
        parts range: Range<Int>, chunkSize: Int = chunkSize, _ make: @escaping @Sendable (Range<Int>) -> [Element],
        _ use: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        let pieces = pieces(of: range, atMost: max(1, chunkSize / piecesPerCore))
        let pipeline = Pipeline(pieces, lookAhead: piecesPerCore * workerCount, make)
        try pipeline.run(helpers: max(0, min(workerCount, pieces.count) - 1), use)
    }

    /// Does work on another thread while this one does something else. If the system has not started the other thread
    /// by then, this one does the work.
    /// - Parameter queue: a concurrent queue for `work`.
    /// - Returns: the results of `work` and `meanwhile`.
    /// - Throws: the error of `meanwhile`. `work` has ended then, or does not begin any more, because it can use what
    ///   the error releases.
    static func run<Value: Sendable, Other, Failure: Error>(
        on queue: DispatchQueue = .global(qos: .userInitiated), _ work: @escaping @Sendable () -> Value,
        whileThisThread meanwhile: () throws(Failure) -> Other
    ) throws(Failure) -> (Value, Other) {
        let isTaken = Mutex(false)
        let take = { @Sendable in
            isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
        }
        let result = Mutex<Value?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            guard take() else { return }
            let value = work()
            result.withLock { $0 = value }
            isDone.signal()
        }
        let other: Result<Other, Failure>
        do { other = .success(try meanwhile()) } catch { other = .failure(error) }
        let isLate = take()
        if !isLate { isDone.wait() }
        let found = try other.get()
        return (result.withLock { $0 } ?? work(), found)
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

    /// The number of parts for each core. A core that is done with a part takes the next one, so that no core waits
    /// long for another.
    private static let piecesPerCore = 4

    /// Splits a range into some parts for each core.
    /// - Parameters:
    ///   - least: the least number of elements of a part, except the last one.
    ///   - most: the greatest number of elements of a part.
    private static func pieces(of range: Range<Int>, atLeast least: Int = 1, atMost most: Int = .max) -> [Range<Int>] {
        let parts = workerCount * piecesPerCore
        let size = min(max(least, (range.count + parts - 1) / parts), most)
        return stride(from: range.lowerBound, to: range.upperBound, by: size).map {
            $0..<min($0 + size, range.upperBound)
        }
    }
}
