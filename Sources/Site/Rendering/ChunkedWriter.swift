/// Gathers bytes into pieces that are worth a call, so that a file of any size is written with little memory.
struct ChunkedWriter {
    private static let size = 1 << 18

    private var gathered: [UInt8] = []

    /// Adds what `append` appends; `emit` gets a piece when there is enough for one.
    mutating func add<Failure: Error>(
        to emit: ([UInt8]) throws(Failure) -> Void, _ append: (inout [UInt8]) -> Void
    ) throws(Failure) {
        append(&gathered)
        if gathered.count >= Self.size { try finish(emit) }
    }

    /// Hands over what is left.
    mutating func finish<Failure: Error>(_ emit: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        try emit(gathered)
        gathered.removeAll(keepingCapacity: true)
    }
}
