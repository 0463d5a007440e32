internal import Downloads
import Testing

@Suite("Time in which the whole process stood still is nobody's")
struct StandstillTests {
    private let start = SuspendingClock.now

    @Test("A wait on purpose, or a little work, is no standstill")
    func none() {
        var watch = SuspensionDetector(now: start, work: .zero)
        let afterWork = watch.standstill(now: start + .milliseconds(300), work: .zero)
        let afterWait = watch.standstill(after: .seconds(10), now: start + .milliseconds(10_700), work: .zero)
        let afterShortWait = watch.standstill(after: .seconds(10), now: start + .milliseconds(10_800), work: .zero)
        #expect(afterWork == nil && afterWait == nil && afterShortWait == nil)
    }

    @Test("Time beyond that is a standstill, once")
    func lapse() {
        var watch = SuspensionDetector(now: start, work: .zero)
        let lapse = watch.standstill(after: .seconds(1), now: start + .seconds(61), work: .zero)
        let next = watch.standstill(now: start + .seconds(61), work: .zero)
        #expect(lapse == .seconds(60) && next == nil)
    }

    @Test("A server that makes work does not stop the process")
    func work() {
        var watch = SuspensionDetector(now: start, work: .zero)
        let busy = watch.standstill(now: start + .seconds(5), work: .milliseconds(4800))
        let stopped = watch.standstill(now: start + .seconds(15), work: .seconds(5))
        #expect(busy == nil && stopped == .milliseconds(9800))
    }
}
