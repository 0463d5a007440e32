internal import Foundation

/// Computes the pieces of a range on several threads, and hands the results to one thread in order.
///
/// A thread that has computed a piece begins the next one at once. At most `lookAhead` pieces are begun before the
/// first of them is handed over, so that the results need little memory.
///
/// `@unchecked Sendable`: all mutable properties are only accessed by the thread that has locked `condition`.
final class Pipeline<Element: Sendable>: @unchecked Sendable {
    private let pieces: [Range<Int>]
    private let lookAhead: Int
    /// Computes a piece; nil after the end, so that a thread that is started late retains nothing.
    private var make: (@Sendable (Range<Int>) -> [Element])?
    /// The threads wait here until a piece was computed or handed over, or the pipeline is stopped.
    private let condition = NSCondition()
    /// The results that are not handed over yet, by the number of the piece.
    private var results: [Int: [Element]] = [:]
    /// The number of pieces that were begun.
    private var begun = 0
    /// The number of pieces that are computed at the moment.
    private var running = 0
    /// The number of pieces that were handed over.
    private var handedOver = 0
    private var isStopped = false

    init(_ pieces: [Range<Int>], lookAhead: Int, _ make: @escaping @Sendable (Range<Int>) -> [Element]) {
        self.pieces = pieces
        self.lookAhead = lookAhead
        self.make = make
    }

    /// Calls `use` with each element in order, on the calling thread. While no result is ready, this thread computes
    /// pieces too.
    /// - Parameter helpers: the number of other threads that compute pieces. If the system starts one of them late, or
    ///   never, the others do its part.
    /// - Throws: the error of `use`. No thread computes a piece any more then.
    func run<Failure: Error>(helpers: Int, _ use: (Element) throws(Failure) -> Void) throws(Failure) {
        for _ in 0..<helpers { DispatchQueue.global(qos: .userInitiated).async { [self] in help() } }
        defer { stop() }
        while let elements = next() {
            for element in elements { try use(element) }
        }
    }

    /// Computes pieces until all are begun or the pipeline is stopped.
    private func help() {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped, begun < pieces.count {
            if !computePiece() { condition.wait() }
        }
    }

    /// - Returns: the result of the next piece; nil after the last one.
    private func next() -> [Element]? {
        condition.lock()
        defer { condition.unlock() }
        while handedOver < pieces.count {
            if let elements = results.removeValue(forKey: handedOver) {
                handedOver += 1
                condition.broadcast()
                return elements
            }
            if !computePiece() { condition.wait() }
        }
        return nil
    }

    /// Computes a piece. The caller has locked `condition`, which is unlocked meanwhile.
    /// - Returns: false if no piece can be begun now.
    private func computePiece() -> Bool {
        guard let make, begun < min(pieces.count, handedOver + lookAhead) else { return false }
        let number = begun
        begun += 1
        running += 1
        condition.unlock()
        let elements = make(pieces[number])
        condition.lock()
        running -= 1
        results[number] = elements
        condition.broadcast()
        return true
    }

    /// Makes the other threads end, and waits until no piece is computed any more.
    private func stop() {
        condition.lock()
        defer { condition.unlock() }
        isStopped = true
        condition.broadcast()
        while running > 0 { condition.wait() }
        make = nil
        results = [:]
    }
}
