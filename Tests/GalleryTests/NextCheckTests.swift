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
}
