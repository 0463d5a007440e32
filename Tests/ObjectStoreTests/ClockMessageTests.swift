import ObjectStore
import Testing

@Suite struct ClockMessageTests {
    @Test(
        "The difference of two clocks is rounded to minutes",
        arguments: [(3599, "60 minutes ahead of"), (3571, "60 minutes ahead of"), (-3601, "60 minutes behind")])
    func rounding(secondsAhead: Int, words: String) {
        #expect(ObjectStoreError.clock(secondsAhead: secondsAhead, code: "").message.contains(words))
    }
}
