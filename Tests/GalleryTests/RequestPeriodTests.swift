import Downloads
import Testing

@testable import Gallery

@Suite struct RequestPeriodTests {
    @Test(
        "Sources that failed are requested again after the usual time, however long the others are fresh",
        arguments: [
            (.auto, false, 300), (.auto, true, 300), (.fixed(.seconds(86_400)), false, 86_400),
            (.fixed(.seconds(86_400)), true, 300), (.fixed(.seconds(60)), true, 60), (.fixed(.zero), true, 10),
        ] as [(MaxAge, Bool, Int)])
    func failing(maxAge: MaxAge, isFailing: Bool, seconds: Int) throws {
        var options = try TestGallery().options()
        options.maxAge = maxAge
        let period = options.requestPeriod(usual: .seconds(300), shortest: .seconds(10), isFailing: isFailing)
        #expect(period == .seconds(seconds))
    }
}
