import Testing

@testable import Gallery

/// Which photos of a preview are worked on, and in which order.
@Suite("The order of work of a preview") struct PreviewScheduleTests {
    /// A list of which everything is missing.
    private func schedule(_ count: Int, limit: Int = 2) -> PreviewSchedule {
        PreviewSchedule(missing: Array(repeating: true, count: count), limit: limit)
    }

    @Test("Nothing begins before a page is open")
    func noPage() {
        var schedule = schedule(5)
        #expect(schedule.next() == PreviewSchedule.Steps())
    }

    @Test("What is on the screen begins first, all of it and in its order")
    func screen() {
        var schedule = schedule(9)
        schedule.show([6, 5, 7, 4], on: 1)
        #expect(schedule.next().begun == [6, 5, 7, 4])
        #expect(schedule.next().begun == [])
    }

    @Test("The rest follows in the order of the list, as many as transfers can run")
    func rest() {
        var schedule = schedule(6)
        schedule.show([3], on: 1)
        _ = schedule.next()
        schedule.end(3, isDone: true)
        #expect(schedule.next().begun == [0, 1])
        schedule.end(1, isDone: true)
        #expect(schedule.next().begun == [2])
        schedule.end(0, isDone: true)
        #expect(schedule.next().begun == [4])
    }

    @Test("The rest can wait, and the screen does not wait with it")
    func restWaits() {
        var schedule = schedule(6)
        schedule.show([3], on: 1)
        #expect(schedule.next(includesRest: false).begun == [3])
        schedule.end(3, isDone: true)
        #expect(schedule.isOnScreen(3))
        #expect(!schedule.isOnScreen(0))
        #expect(schedule.next(includesRest: false).begun == [])
        #expect(schedule.next().begun == [0, 1])
    }

    @Test("Nothing begins and nothing ends while a page is scrolled")
    func scrolling() {
        var schedule = schedule(9)
        schedule.show([0], on: 1)
        _ = schedule.next()
        schedule.scroll(1)
        schedule.show([5], on: 2)
        #expect(schedule.next() == PreviewSchedule.Steps())
        schedule.show([8], on: 1)
        #expect(schedule.next() == PreviewSchedule.Steps(cancelled: [0], begun: [8, 5]))
    }

    @Test("A page that does not go on telling that it is scrolled holds up nothing")
    func endlessScrolling() {
        var schedule = schedule(9)
        schedule.show([4], on: 1)
        schedule.scroll(1)
        schedule.show([5], on: 2)
        #expect(schedule.next() == PreviewSchedule.Steps())
        schedule.endScrolling(1)
        #expect(schedule.next().begun == [4, 5])
        schedule.endScrolling(3)
        #expect(schedule.next() == PreviewSchedule.Steps())
    }

    @Test("While a filter is only tried, the rest of the list waits")
    func limitedToScreens() {
        var schedule = schedule(9)
        schedule.isLimitedToScreens = true
        schedule.show([3], on: 1)
        #expect(schedule.next().begun == [3])
        schedule.end(3, isDone: true)
        #expect(schedule.next() == PreviewSchedule.Steps())
        schedule.isLimitedToScreens = false
        #expect(schedule.next().begun == [0, 1])
        schedule.isLimitedToScreens = true
        #expect(schedule.next().cancelled == [0, 1])
    }

    @Test("What left the screen is given up once, and put back when its work has ended")
    func leaving() {
        var schedule = schedule(4, limit: 1)
        schedule.show([2, 3], on: 1)
        _ = schedule.next()
        schedule.show([0], on: 1)
        #expect(schedule.next() == PreviewSchedule.Steps(cancelled: [2, 3], begun: [0]))
        #expect(schedule.next() == PreviewSchedule.Steps())
        schedule.end(2, isDone: false)
        schedule.end(3, isDone: true)
        schedule.end(0, isDone: true)
        #expect(schedule.ready == 2)
        #expect(schedule.next().begun == [1])
        schedule.end(1, isDone: true)
        #expect(schedule.next().begun == [2])
    }

    @Test("A photo that comes back to the screen begins again when its cancelled work has ended")
    func returning() {
        var schedule = schedule(3)
        schedule.show([0], on: 1)
        _ = schedule.next()
        schedule.show([1], on: 1)
        _ = schedule.next()
        schedule.show([0, 1], on: 1)
        #expect(schedule.next() == PreviewSchedule.Steps())
        schedule.end(0, isDone: false)
        #expect(schedule.next().begun == [0])
    }

    @Test("The rest makes room for a screen on which something is missing")
    func yielding() {
        var schedule = schedule(9)
        schedule.show([], on: 1)
        #expect(schedule.next().begun == [0, 1])
        schedule.show([1, 7], on: 1)
        #expect(schedule.next() == PreviewSchedule.Steps(cancelled: [0], begun: [7]))
    }

    @Test("Photos of two pages alternate")
    func twoPages() {
        var schedule = schedule(9)
        schedule.show([1, 2, 3], on: 1)
        schedule.show([7, 2, 8], on: 2)
        #expect(schedule.next().begun == [1, 7, 2, 3, 8])
        schedule.close(2)
        #expect(schedule.next().cancelled == [7, 8])
    }

    @Test("A lost picture is made again")
    func lostPicture() {
        var schedule = PreviewSchedule(missing: [false, false], limit: 1)
        schedule.lose(1)
        schedule.lose(1)
        #expect((schedule.ready, schedule.total) == (1, 2))
        schedule.show([0, 1], on: 1)
        #expect(schedule.next().begun == [1])
        schedule.end(1, isDone: true)
        #expect(schedule.ready == 2)
    }

    @Test("In the end every photo was begun once, whatever pages showed meanwhile")
    func completeness() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            var schedule = schedule(30, limit: 3)
            var running: Set<Int> = []
            var given: Set<Int> = []
            for _ in 0..<200 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: schedule.show((0..<4).map { _ in Int.random(in: 0..<30, using: &random) }, on: 1)
                case 1: schedule.scroll(1)
                default:
                    guard let photo = running.randomElement(using: &random) else { break }
                    schedule.end(photo, isDone: !given.contains(photo))
                    running.remove(photo)
                    given.remove(photo)
                }
                let steps = schedule.next()
                #expect(running.isDisjoint(with: steps.begun))
                #expect(running.isSuperset(of: steps.cancelled))
                running.formUnion(steps.begun)
                given.formUnion(steps.cancelled)
            }
            schedule.show([], on: 1)
            while schedule.ready < schedule.total {
                running.formUnion(schedule.next().begun)
                #expect(!running.isEmpty)
                guard let photo = running.popFirst() else { break }
                schedule.end(photo, isDone: true)
            }
        }
    }
}
