import Testing

@testable import Downloads

@Suite struct ByteBudgetTests {
    private let start = SuspendingClock.now

    @Test("A budget is overdrawn for as long as the rate needs for what was received too much")
    func overdraft() {
        let budget = ByteBudget(rate: 1_000, now: start)
        #expect(!budget.isOverdrawn(now: start))
        budget.spend(2_000)
        #expect(budget.isOverdrawn(now: start))
        #expect(budget.timeUntilBalanced(now: start) == .seconds(2))
        #expect(budget.isOverdrawn(now: start + .milliseconds(1_900)))
        #expect(!budget.isOverdrawn(now: start + .seconds(2)))
    }

    @Test("No more than a second is saved")
    func saving() {
        let budget = ByteBudget(rate: 1_000, now: start)
        #expect(!budget.isOverdrawn(now: start + .seconds(100)))
        budget.spend(1_500)
        #expect(budget.timeUntilBalanced(now: start + .seconds(100)) == .milliseconds(500))
    }
}
