import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import Gallery

@Suite("Shards of a list") struct ShardTests {
    @Test(
        "A shard is written as its index and the number of shards", arguments: ["1/1", "3/8", "8/8", "100000/100000"])
    func valid(text: String) throws {
        #expect(try #require(Shard(text)).description == text)
    }

    @Test(
        "A text that names no shard is refused",
        arguments: [
            "", "/", "3", "3/", "/8", "0/8", "9/8", "8/0", "-1/8", "+1/8", "1/-8", "3/8/1", "3 /8", "3/8 ", "1.0/8",
            "٣/٨", "a/b", "1/100001", "99999999999999999999/99999999999999999999",
        ])
    func invalid(text: String) {
        #expect(Shard(text) == nil)
    }

    @Test("The name of a shard in a store can be read again")
    func name() throws {
        let shard = try #require(Shard("3/8"))
        #expect(shard.name == "3-of-8")
        #expect(Shard(name: "3-of-8") == shard)
    }

    @Test(
        "A name that is none of a shard is not taken for one",
        arguments: ["", "3-of-", "3-8", "3-of-8-of-9", "9-of-8", "3-OF-8", "3-of-8.tmp"])
    func noName(text: String) {
        #expect(Shard(name: Substring(text)) == nil)
    }

    @Test("Each photo is in one shard, and the shards are about even", arguments: [1, 2, 7, 8, 1_000])
    func division(count: Int) throws {
        let shards = try (1...count).map { try #require(Shard($0, of: count)) }
        var sizes = [Int](repeating: 0, count: count)
        let total = 20_000
        for number in 0..<total {
            let digest = Digest(of: "https://example.org/\(number).jpg")
            let owners = shards.indices.filter { shards[$0].contains(digest) }
            try #require(owners.count == 1)
            sizes[owners[0]] += 1
        }
        // Six standard deviations of a binomial distribution.
        let mean = Double(total) / Double(count)
        let tolerance = 6 * mean.squareRoot() * (1 - 1 / Double(count)).squareRoot()
        #expect(sizes.allSatisfy { abs(Double($0) - mean) <= tolerance }, "\(sizes.min() ?? 0) to \(sizes.max() ?? 0)")
    }
}
