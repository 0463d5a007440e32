internal import GRDB
internal import PhotoModel

/// Under which number each row of a table stands, by the digest that it is of. Held in memory, as an index in the file would
/// be written at random places once more, and whoever writes has read the table before.
struct Numbering {
    /// By the digests' hashes, which nobody can foresee: a large gallery has hundreds of thousands, and two of a million digests
    /// have the same hash once in 10⁷ times.
    private var numbers: [Int: UInt32] = [:]
    private var last: UInt32 = 0

    /// - Parameter expected: how many rows there are about.
    init(expected: Int = 0) { numbers.reserveCapacity(expected) }

    func number(of digest: Digest) -> Int64? { numbers[digest.hashOfAll].map { Int64($0) } }

    /// Takes up a row that was read.
    /// - Throws: if the table has another row of the digest, or the number is none that was given out here.
    mutating func insert(_ digest: Digest, _ number: Int64) throws {
        guard let number = UInt32(exactly: number), number > 0, number < .max else {
            throw Columns.damaged("a row has a number that is none of ours")
        }
        guard numbers.updateValue(number, forKey: digest.hashOfAll) == nil else {
            throw Columns.damaged("a row is there twice")
        }
        last = max(last, number)
    }

    /// - Returns: the number of the digest's row, or the next one for a row that is new.
    mutating func numberOrNew(of digest: Digest) throws -> Int64 {
        if let known = number(of: digest) { return known }
        try insert(digest, Int64(last) + 1)
        return Int64(last)
    }

    mutating func forget(_ digest: Digest) { numbers[digest.hashOfAll] = nil }
}
