/// The time for which a response may be used without a request, as its fields state it. It is stored with the original,
/// because a 304 that confirms the original may leave all of it out (RFC 9111 §4.3.4).
package struct Freshness: Hashable, Sendable {
    /// `no-store` or `no-cache`.
    package var forbidsReuse = false
    /// `Vary: *`.
    package var variesWithEverything = false
    /// Seconds; 0 where the field is no number.
    package var maxAge: Int64?
    /// Seconds since 1970, by the server's clock.
    package var expires: Int64?

    /// The response gave no freshness.
    package init() {}

    /// No server means more than this many seconds; sums with it stay in range.
    static let longest: Int64 = 1 << 31

    /// No clock means a moment further from 1970 than this many seconds; differences of two stay in range.
    private static let latest: Int64 = 1 << 40

    /// The lifetime from the time of the response, in seconds (RFC 9111 §4.2.1). `s-maxage` is for caches that
    /// several users share.
    ///
    /// - Parameter made: seconds since 1970, by the server's clock.
    /// - Returns: nil if it must always be asked for.
    func lifetime(from made: Int64) -> Int64? {
        guard !forbidsReuse, !variesWithEverything else { return nil }
        return (maxAge ?? expires.map { $0 - made }).map { min(max($0, 0), Self.longest) }
    }
}

extension Freshness {
    /// The form in the ledger: "max-age=600", "no-cache", "vary=*, expires=2000000000"; nil where nothing was said.
    package var text: String? {
        var words: [String] = []
        if forbidsReuse { words.append("no-cache") }
        if variesWithEverything { words.append("vary=*") }
        if let maxAge { words.append("max-age=\(maxAge)") }
        if let expires { words.append("expires=\(expires)") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// - Parameter text: what cannot be read says nothing, and then the original is asked for more often.
    package init(text: String?) {
        self.init()
        guard let text else { return }
        var found = Freshness()
        for word in text.split(separator: ", ") {
            let parts = word.split(separator: "=", maxSplits: 1)
            switch (parts[0], parts.count == 2 ? Int64(parts[1]) : nil) {
            case ("no-cache", _): found.forbidsReuse = true
            case ("vary", _): found.variesWithEverything = true
            case ("max-age", let seconds?): found.maxAge = min(max(seconds, 0), Self.longest)
            case ("expires", let moment?): found.expires = min(max(moment, -Self.latest), Self.latest)
            default: return
            }
        }
        self = found
    }
}
