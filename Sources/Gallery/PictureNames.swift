internal import Ledger

/// Names of picture files, of which no more is held than 64 bits each: a large gallery has hundreds of thousands. One name in 2⁶⁴ is
/// taken for another, and is not by the next process.
struct PictureNames {
    private var hashes: Set<Int> = []

    /// - Parameter expected: how many there will be about.
    init(_ names: Set<String>, expected: Int) {
        hashes.reserveCapacity(names.count + expected)
        for var name in names { name.withUTF8 { insert(UnsafeRawBufferPointer($0)) } }
    }

    mutating func insert(_ list: PictureList) { list.forEachFileName { insert($0) } }

    private mutating func insert(_ name: UnsafeRawBufferPointer) { hashes.insert(Self.hash(of: name)) }

    /// - Parameter name: UTF-8.
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { hashes.contains(Self.hash(of: name)) }

    private static func hash(of name: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: name)
        return hasher.finalize()
    }
}
