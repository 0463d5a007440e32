import Testing

@testable import Gallery

@Suite struct LivePublicationTests {
    @Test(
        "Rounds take a tenth of the time, but no pause is shorter than half a second or longer than five seconds",
        arguments: [(0.01, 0.5), (0.05, 0.5), (0.2, 2), (0.5, 5), (4, 5)])
    func pauses(round: Double, pause: Double) {
        #expect(LivePublication.pause(after: round) == pause)
    }
}
