import Testing

@testable import Notifications

@Suite struct ServiceNotifierTests {
    @Test(
        "An address that is neither a path nor an abstract name is refused",
        arguments: ["", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 108)])
    func addresses(name: String) {
        #expect(throws: ServiceNotifier.Problem.self) { try ServiceNotifier(name) }
    }

    @Test("The watchdog counts only for the process that it is meant for")
    func watchdog() {
        #expect(WatchdogInterval([:], process: 5) == nil)
        #expect(WatchdogInterval(["WATCHDOG_USEC": "0"], process: 5) == nil)
        #expect(WatchdogInterval(["WATCHDOG_USEC": "3000000"], process: 5)?.limit == .seconds(3))
        #expect(WatchdogInterval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "5"], process: 5)?.limit == .seconds(3))
        #expect(WatchdogInterval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "6"], process: 5) == nil)
    }
}
