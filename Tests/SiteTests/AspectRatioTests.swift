import Testing

@testable import Site

@Suite("The aspect ratios of cards")
struct AspectRatioTests {
    @Test(
        "The ratio has two digits, and its class is the nearest step; both end at 1:2 and 3.5:1",
        arguments: [
            (3, 2, "1.50", "r37"), (2, 3, "0.67", "r10"), (200, 99, "2.02", "r47"), (1, 1, "1.00", "r23"),
            (1, 2, "0.50", "r0"), (1, 9, "0.50", "r0"), (7, 2, "3.50", "r66"), (9, 1, "3.50", "r66"),
            (0, 0, "1.00", "r23"), (Int.max, 1, "3.50", "r66"),
        ])
    func ratios(width: Int, height: Int, text: String, className: String) {
        let ratio = AspectRatio(width: width, height: height)
        #expect(ratio.text == text)
        #expect(ratio.className == className)
    }
}
