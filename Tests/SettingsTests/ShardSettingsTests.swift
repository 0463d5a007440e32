import ArgumentParser
import Gallery
import Testing

@testable import Program

@Suite("Settings of builds that several machines share") struct ShardSettingsTests {
    private let table = SettingsTable.table.sharing

    @Test(
        "Missing shards are ranges as sbatch takes them",
        arguments: [
            ([], ""), ([7], "7"), ([1, 2], "1-2"), ([1, 3], "1,3"), ([2, 5, 6, 7], "2,5-7"),
            ([1, 2, 3, 5, 7, 8], "1-3,5,7-8"), (Array(1...1_000), "1-1000"),
        ] as [([Int], String)])
    func ranges(indices: [Int], expected: String) {
        #expect(ShardsCommand.ranges(indices) == expected)
    }

    @Test("A shard and what divides the photos are parsed")
    func values() throws {
        let layers = SettingLayers(flags: ["shard": "3/8", "shard-by": "host"])
        #expect(try layers.value(table.shard) == Shard(3, of: 8))
        #expect(try layers.value(table.shardBy) == .host)
        #expect(try SettingLayers().value(table.shardBy) == .address)
        #expect(throws: SettingsError.self) { try SettingLayers(flags: ["shard-by": "name"]).value(table.shardBy) }
    }

    @Test("A wrong shard is named with what is allowed")
    func wrongShard() throws {
        let error = #expect(throws: SettingsError.self) {
            try SettingLayers(flags: ["shard": "9/8"]).value(table.shard)
        }
        #expect(
            error?.message
                == "--shard: '9/8' is not allowed; expected a shard such as 3/8, from 1/1 to 100000/100000")
    }

    @Test(
        "The number of shards has a range",
        arguments: [("1", true), ("100000", true), ("0", false), ("-1", false), ("100001", false), ("x", false)])
    func number(text: String, isAllowed: Bool) {
        let command = try? ShardsCommand.parse(["--store", "work", "--of=\(text)"])
        #expect((command != nil) == isAllowed)
    }

    @Test(
        "The address of pictures is one that a policy and a srcset can have",
        arguments: [
            ("https://example.org/work/images/", true), ("http://[::1]:8080/a-b_c.d~e/", true),
            ("https://example.org", true), ("https://example.org/a b/", false), ("https://example.org/a,b/", false),
            ("https://example.org/a;b/", false), ("https://example.org/?a", false), ("images/", false),
            ("ftp://example.org/", false), ("https://example.org/'x'/", false),
        ])
    func pictureAddress(text: String, isAllowed: Bool) {
        let value = try? SettingLayers(flags: ["images-at": text]).value(table.imagesAt)
        #expect((value != nil) == isAllowed)
        if let value { #expect(value.hasSuffix("/")) }
    }
}
