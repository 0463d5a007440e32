import Downloads
import Testing

@Suite("The freshness of an original is kept as a text") struct FreshnessTextTests {
    private func freshness(
        forbidsReuse: Bool = false, variesWithEverything: Bool = false, maxAge: Int64? = nil, expires: Int64? = nil
    ) -> Freshness {
        var freshness = Freshness()
        freshness.forbidsReuse = forbidsReuse
        freshness.variesWithEverything = variesWithEverything
        freshness.maxAge = maxAge
        freshness.expires = expires
        return freshness
    }

    @Test("Every freshness is read as it was written")
    func roundTrip() {
        let all = [
            Freshness(), freshness(forbidsReuse: true), freshness(variesWithEverything: true), freshness(maxAge: 0),
            freshness(maxAge: 600), freshness(expires: -5), freshness(expires: 2_000_000_000),
            freshness(forbidsReuse: true, variesWithEverything: true, maxAge: 86_400, expires: 2_000_000_000),
        ]
        for one in all { #expect(Freshness(text: one.text) == one, "\(one.text ?? "no text")") }
        #expect(all.last?.text == "no-cache, vary=*, max-age=86400, expires=2000000000")
        #expect(Freshness().text == nil)
    }

    @Test(
        "A text that can't be read states no freshness",
        arguments: [
            "max-age", "max-age=", "max-age=soon", "expires=never", "fresh", "max-age=600, fresh", "=", "=600", " ",
            "", ",",
        ])
    func unreadable(text: String) { #expect(Freshness(text: text) == Freshness()) }

    @Test("Numbers that no server means are limited, so that sums with them stay in range")
    func limits() {
        #expect(Freshness(text: "max-age=\(Int64.max)").maxAge == 1 << 31)
        #expect(Freshness(text: "max-age=-1").maxAge == 0)
        #expect(Freshness(text: "expires=\(Int64.max)").expires == 1 << 40)
        #expect(Freshness(text: "expires=\(Int64.min)").expires == -(1 << 40))
    }
}
