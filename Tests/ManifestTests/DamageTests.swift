import Manifest
import TestSupport
import Testing

/// Damaged manifests: whatever the damage, reading ends with a manifest or with an error that has a position.
@Suite struct DamageTests {
    @Test("A manifest cut at any byte is refused at its last lines, unless only the end is missing")
    func cut() throws {
        let bytes = try Fixtures.bytes("full-entries.plist")
        let text = String(decoding: bytes, as: UTF8.self)
        let end = text.utf8.count - text.split(separator: "</plist>")[1].utf8.count
        for length in 0..<bytes.count {
            let cut = Array(bytes[..<length])
            guard length < end else {
                #expect(try ManifestReader(origin: Reading.local).read(cut).photos.count == 3)
                continue
            }
            let error = try #require(throws: ManifestError.self, "cut at byte \(length)") {
                try ManifestReader(origin: Reading.local).read(cut)
            }
            let lines = cut.count { $0 == UInt8(ascii: "\n") } + 1
            #expect((1...lines).contains(error.diagnostics[0].position.line))
        }
    }

    @Test("Changed, lost and doubled bytes cause nothing worse than an error", arguments: 1...20)
    func changed(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let names = [
            "full-entries.plist", "comments-cdata-entities.plist", "internal-entity.plist", "utf-16le-bom.plist",
            "albums.plist",
        ]
        for round in 0..<100 {
            var bytes = try Fixtures.bytes(names[round % names.count])
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let start = Int.random(in: bytes.indices, using: &random)
                let range = start..<min(bytes.count, start + Int.random(in: 1...40, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(range)
                case 2: bytes.insert(contentsOf: bytes[range], at: Int.random(in: bytes.indices, using: &random))
                default: bytes[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            do throws(ManifestError) {
                let manifest = try ManifestReader(origin: Reading.local).read(bytes)
                #expect(Set(Slugs.assign(manifest.photos, remembered: [:])).count == manifest.photos.count)
                #expect(manifest.photos.allSatisfy { !$0.name.isEmpty })
            } catch {
                #expect(error.diagnostics.allSatisfy { $0.position.line >= 1 && !$0.message.isEmpty })
            }
        }
    }
}
