import Foundation
import Ledger
import PhotoModel
import TestSupport
import Testing

@Suite("The last check of photos") struct LastCheckTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/ledger.sqlite" }

    private func photos(_ times: [Int64]) -> [PhotoRow] {
        times.enumerated().map { number, time in
            PhotoRow(key: Digest(of: "\(number)"), slug: "lake-\(number)", state: .filtered, since: 1, checked: time)
        }
    }

    private func publish(_ photos: [PhotoRow], in ledger: Ledger) throws {
        let known = try ledger.snapshot().photos
        try ledger.record(publication: nil, photos: photos, replacing: known, albums: [:])
    }

    private func times(in ledger: Ledger) throws -> [Digest: Int64] {
        try ledger.snapshot().photos.mapValues(\.checked)
    }

    @Test("A photo's last check is recorded, whether builds check all, some or none, and when the clock is set back")
    func anyOrder() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let ledger = try Ledger(path: path, gallery: "one")
        var times: [Int64] = [5, 5, 5, 5]
        for _ in 0..<300 {
            let now = Int64.random(in: 0...9, using: &random)
            let isOfAll = Bool.random(using: &random)
            times = times.map { isOfAll || Bool.random(using: &random) ? now : $0 }
            if Int.random(in: 0..<10, using: &random) == 0 { times.append(now) }
            if times.count > 1, Int.random(in: 0..<10, using: &random) == 0 { times.removeLast() }
            try publish(photos(times), in: ledger)
            let wanted = Dictionary(uniqueKeysWithValues: times.enumerated().map { (Digest(of: "\($0)"), $1) })
            try #require(try self.times(in: ledger) == wanted, "seed \(seed)")
        }
    }

    @Test("The last check of a photo is recorded separately for each gallery")
    func galleries() throws {
        let one = try Ledger(path: path, gallery: "one")
        let other = try Ledger(path: path, gallery: "other")
        try publish(photos([3, 3]), in: one)
        try publish(photos([4, 9]), in: other)
        try publish(photos([7, 7]), in: one)
        #expect(try times(in: one) == ["0": 7, "1": 7])
        #expect(try times(in: other) == ["0": 4, "1": 9])
    }

    @Test("The time of a check is written once for all photos that were checked together")
    func isWrittenOnce() throws {
        let ledger = try Ledger(path: path, gallery: "one")
        try publish(photos([Int64](repeating: 1, count: 2_000)), in: ledger)
        ledger.close()
        let again = try Ledger(path: path, gallery: "one")
        try publish(photos([Int64](repeating: 2, count: 2_000)), in: again)
        // The log has one page for each table that changes. The rows of the photos would take hundreds of pages.
        let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        #expect(try #require(log) < 20 * 4_200)
        #expect(try Set(times(in: again).values) == [2])
    }
}
