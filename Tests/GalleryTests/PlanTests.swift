import Gallery
import PhotoModel
import Testing

@Suite("The plan of a build") struct PlanTests {
    private let lakes = PlanWorld.lakes

    @Test("The plan of an unchanged gallery is empty")
    func nothing() throws {
        #expect(try lakes.plan(after: lakes.built()).lines.isEmpty)
    }

    @Test("The plan after a changed option says exactly what must be done again, and why", arguments: PlanChange.all)
    func options(change: PlanChange) throws {
        var world = lakes
        let memory = try world.built()
        try change.apply(&world)
        #expect(try world.plan(after: memory).sentences == change.sentences)
    }

    @Test("The plan of a gallery that was rendered with earlier default widths names the new defaults")
    func defaultWidths() throws {
        var world = lakes
        world.widths = [320, 800, 1600]
        let memory = try world.built()
        world.widths = [400, 800, 1600]
        let reason = "default widths are 400, 800, 1600 now (were 320, 800, 1600)"
        // The small picture is published at its own width with either default.
        #expect(try world.plan(after: memory).sentences == ["Lighthouse: \(reason)", "Leaf: \(reason)"])
    }

    @Test("The plan after an event says exactly what must be done again, and why", arguments: PlanHappening.all)
    func happenings(happening: PlanHappening) throws {
        var world = lakes
        var memory = try world.built()
        try happening.apply(&world, &memory)
        #expect(try world.plan(after: memory).sentences == happening.sentences)
    }

    @Test("With a pinned clock, freshness counts by the system's time, and an overdue change by that of the build")
    func pinnedClock() throws {
        var world = lakes
        let memory = try world.built()
        world.pinned = world.now + 3_601
        #expect(try world.plan(after: memory).sentences.isEmpty)
        world.expectedChange = .within(seconds: 3_600)
        #expect(try world.plan(after: memory).sentences.contains { $0.hasPrefix("Lighthouse: not changed since") })
        world.pinned = world.now
        #expect(try world.plan(after: memory).sentences.isEmpty)
        world.now += 3_601
        #expect(try world.plan(after: memory).sentences.contains { $0.hasPrefix("Lighthouse: not checked since") })
    }

    @Test("A plan is small if one photo of 100 has work, at most 100 in all, and only the list and photos have changed")
    func smallPlans() {
        func isSmall(
            _ work: Int, of total: Int, _ site: [PublishReason] = [], _ rest: PhotoPlan.FetchReason? = nil
        ) -> Bool {
            let photos = (0..<total).map { PhotoPlan(fetchReason: $0 < work ? .new : rest) }
            return Plan.isSmall(photos, site)
        }
        let list = PublishReason.input(name: "list", old: "a", new: "b")
        #expect(isSmall(0, of: 0) && isSmall(0, of: 1) && isSmall(1, of: 100, [list, .temporaryFolders]))
        #expect(!isSmall(1, of: 99) && !isSmall(2, of: 199) && isSmall(2, of: 200))
        #expect(isSmall(100, of: 20_000) && !isSmall(101, of: 20_000))
        #expect(isSmall(0, of: 3, [], .unchecked(since: Timestamp(seconds: 0))), "most servers answer 304")
        #expect(isSmall(1, of: 100, [.expired(3), .otherPermissions(3)]))
        for reason in [
            PublishReason.forced, .first, .unknown, .photosChanged, .input(name: "title", old: "a", new: "b"),
            .damaged(path: "index.html"), .removed(path: "photo/a.html"),
        ] {
            #expect(!isSmall(1, of: 100, [reason]))
        }
        #expect(!Plan.isSmall([PhotoPlan(renderReasons: [.otherEncoder])], []))
    }

    @Test("The plan revalidates early only photos that are revalidated in any case, never before an earlier download")
    func revalidatedEarly() {
        let unchecked = PhotoPlan(fetchReason: .unchecked(since: Timestamp(seconds: 0)))
        // The disk has not been scanned yet, so the original may exist.
        let missing = PhotoPlan(fetchReason: .originalGone)
        for fetched in [
            PhotoPlan(fetchReason: .new), PhotoPlan(fetchReason: .failed(.notFound)),
            PhotoPlan(fetchReason: .otherAddress), PhotoPlan(fetchReason: .pinned), PhotoPlan(fetchReason: .accepted),
            PhotoPlan(fetchReason: .unchecked(since: Timestamp(seconds: 0)), renderReasons: [.otherEncoder]),
        ] {
            let photoPlans = [unchecked, PhotoPlan(), missing, unchecked, fetched, unchecked]
            #expect(PhotoPlan.revalidatedEarly(photoPlans) == [true, false, false, true])
        }
        #expect(PhotoPlan.revalidatedEarly([unchecked, unchecked]) == [true, true])
    }
}
