internal import Downloads
import Testing

@Suite("Suspensions of the whole process count against no timeout")
struct SuspensionTests {
    private let start = SuspendingClock.now

    @Test("An intended wait, or a little work, is no suspension")
    func none() {
        var watch = SuspensionDetector(now: start, cpuTime: .zero)
        let afterWork = watch.suspension(now: start + .milliseconds(300), cpuTime: .zero)
        let afterWait = watch.suspension(after: .seconds(10), now: start + .milliseconds(10_700), cpuTime: .zero)
        let afterShortWait = watch.suspension(after: .seconds(10), now: start + .milliseconds(10_800), cpuTime: .zero)
        #expect(afterWork == nil && afterWait == nil && afterShortWait == nil)
    }

    @Test("Time beyond the intended wait is one suspension")
    func lapse() {
        var watch = SuspensionDetector(now: start, cpuTime: .zero)
        let lapse = watch.suspension(after: .seconds(1), now: start + .seconds(61), cpuTime: .zero)
        let next = watch.suspension(now: start + .seconds(61), cpuTime: .zero)
        #expect(lapse == .seconds(60) && next == nil)
    }

    @Test("Processor time spent on a busy server is no suspension")
    func work() {
        var watch = SuspensionDetector(now: start, cpuTime: .zero)
        let busy = watch.suspension(now: start + .seconds(5), cpuTime: .milliseconds(4800))
        let stopped = watch.suspension(now: start + .seconds(15), cpuTime: .seconds(5))
        #expect(busy == nil && stopped == .milliseconds(9800))
    }
}
