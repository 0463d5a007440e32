import Ledger
import PhotoModel
import Testing

@testable import Gallery

@Suite struct NextCheckTests {
    @Test("A photo is checked when it is due to be frozen, and a frozen one of a server again after each period")
    func frozen() throws {
        var world = PlanWorld.lakes
        world.expectedChange = .within(seconds: 60)
        let memory = try world.built()
        for record in world.records({ memory.snapshot.photos[Digest(of: $0)] }) {
            var row = try #require(record.remembered)
            row.checked = row.since + 40
            #expect(record.nextCheckForChange(row) == row.since + 60)
            row.marks = [.frozen(since: Timestamp(seconds: row.since), expectedWithin: 60)]
            // A local file is looked at in each build.
            #expect(record.nextCheckForChange(row) == (record.source?.isRemote == true ? row.since + 100 : nil))
        }
    }

    @Test("A time that has passed is none, because only a pause that the server asked for can be the cause")
    func passed() throws {
        var world = PlanWorld.lakes
        world.expectedChange = .within(seconds: 60)
        let memory = try world.built()
        let since = world.now - 10
        for (now, expected) in [(since + 50, since + 60), (since + 70, nil)] as [(Int64, Int64?)] {
            let records = world.records { memory.snapshot.photos[Digest(of: $0)] }
            for record in records { record.markUnchanged(wasRequested: false) }
            #expect(BuildReport(unchanged: records, lastPublished: nil, now: now).nextCheckForChange == expected)
        }
    }
}
