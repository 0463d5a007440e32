import Gallery
import PhotoModel
import Testing

@Suite("The plan of a build") struct PlanTests {
    private let lakes = PlanWorld.lakes

    @Test("of a gallery in which nothing has changed is empty")
    func nothing() throws {
        #expect(try lakes.plan(after: lakes.built()).lines.isEmpty)
    }

    @Test("after one option has changed says exactly what must be done again, and why", arguments: PlanChange.all)
    func options(change: PlanChange) throws {
        var world = lakes
        let memory = try world.built()
        try change.apply(&world)
        #expect(try world.plan(after: memory).sentences == change.sentences)
    }

    @Test("after something has happened says exactly what must be done again, and why", arguments: PlanHappening.all)
    func happenings(happening: PlanHappening) throws {
        var world = lakes
        var memory = try world.built()
        try happening.apply(&world, &memory)
        #expect(try world.plan(after: memory).sentences == happening.sentences)
    }

    @Test("asks ahead about photos that are asked in any case, but never before one above them that is to be fetched")
    func askedEarly() {
        let unchecked = PhotoPlan(asking: .unchecked(since: Timestamp(seconds: 0)))
        // The disk has not been scanned yet, so the original may exist.
        let missing = PhotoPlan(asking: .originalGone)
        for fetched in [
            PhotoPlan(asking: .new), PhotoPlan(asking: .failed(.notFound)), PhotoPlan(asking: .otherAddress),
            PhotoPlan(asking: .unchecked(since: Timestamp(seconds: 0)), making: [.otherEncoder]),
        ] {
            let verdicts = [unchecked, PhotoPlan(), missing, unchecked, fetched, unchecked]
            #expect(PhotoPlan.askedEarly(verdicts) == [true, false, false, true])
        }
        #expect(PhotoPlan.askedEarly([unchecked, unchecked]) == [true, true])
    }
}
