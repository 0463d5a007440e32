/// Collects bytes into chunks that are large enough for a write, so that a file of any size is written with little
/// memory.
struct ChunkedWriter {
    private static let size = 1 << 18

    private var gathered: [UInt8] = []

    /// Adds the bytes that `append` appends, and calls `emit` if they complete a chunk.
    mutating func add<Failure: Error>(
        to emit: ([UInt8]) throws(Failure) -> Void, _ append: (inout [UInt8]) -> Void
    ) throws(Failure) {
        append(&gathered)
        if gathered.count >= Self.size { try finish(emit) }
    }

    /// Calls `emit` with the remaining bytes.
    mutating func finish<Failure: Error>(_ emit: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        try emit(gathered)
        gathered.removeAll(keepingCapacity: true)
    }
}
