internal import Downloads
import Testing

@Suite("Time in which the whole process stood still is nobody's")
struct StandstillTests {
    private let start = SuspendingClock.now

    @Test("a wait that was meant, or a little work, is no standstill")
    func none() {
        var watch = StandstillWatch(now: start)
        let afterWork = watch.standstill(now: start + .milliseconds(300))
        let afterWait = watch.standstill(after: .seconds(10), now: start + .milliseconds(10_700))
        let afterShortWait = watch.standstill(after: .seconds(10), now: start + .milliseconds(10_800))
        #expect(afterWork == nil && afterWait == nil && afterShortWait == nil)
    }

    @Test("what goes beyond that is, once")
    func lapse() {
        var watch = StandstillWatch(now: start)
        let lapse = watch.standstill(after: .seconds(1), now: start + .seconds(61))
        let next = watch.standstill(now: start + .seconds(61))
        #expect(lapse == .seconds(60) && next == nil)
    }
}
