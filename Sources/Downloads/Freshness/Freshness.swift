/// The time for which a response may be used without a request, as its fields state it. It is stored with the original,
/// because a 304 that confirms the original can leave out all of these fields (RFC 9111 §4.3.4).
package struct Freshness: Hashable, Sendable {
    /// Whether the response has `no-store` or `no-cache`.
    package var forbidsReuse = false
    /// Whether the response has `Vary: *`.
    package var variesWithEverything = false
    /// The lifetime in seconds; 0 if the value of `max-age` is not a number.
    package var maxAge: Int64?
    /// The value of `Expires` in seconds since 1970, by the server's clock.
    package var expires: Int64?

    /// The freshness of a response that states none.
    package init() {}

    /// The longest lifetime in seconds. No server means a longer one, and sums with it stay in range.
    static let longest: Int64 = 1 << 31

    /// The furthest time from 1970 in seconds. No clock means one further away, and the difference of two such times
    /// stays in range.
    private static let latest: Int64 = 1 << 40

    /// Whether the original can be used without revalidation, for however short a time.
    var canBeFresh: Bool { !forbidsReuse && !variesWithEverything && (maxAge != nil || expires != nil) }

    /// The lifetime from the time of the response, in seconds (RFC 9111 §4.2.1). `s-maxage` is for shared caches only.
    ///
    /// - Parameter date: the time of the response in seconds since 1970, by the server's clock.
    /// - Returns: nil if the original must always be revalidated.
    func lifetime(from date: Int64) -> Int64? {
        guard canBeFresh else { return nil }
        return (maxAge ?? expires.map { $0 - date }).map { min(max($0, 0), Self.longest) }
    }
}

extension Freshness {
    /// The form in the ledger: "max-age=600", "no-cache", "vary=*, expires=2000000000"; nil if the response stated
    /// nothing.
    package var text: String? {
        var words: [String] = []
        if forbidsReuse { words.append("no-cache") }
        if variesWithEverything { words.append("vary=*") }
        if let maxAge { words.append("max-age=\(maxAge)") }
        if let expires { words.append("expires=\(expires)") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// - Parameter text: the form in the ledger. If it can't be read, no freshness is assumed, and the original is
    ///   revalidated more often.
    package init(text: String?) {
        self.init()
        guard let text else { return }
        var found = Freshness()
        // The text is split as bytes, because a large gallery has many, and splitting a String by a String is slow.
        for word in text.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = word.drop { $0 == UInt8(ascii: " ") }.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard let name = parts.first else { return }
            let number = parts.count == 2 ? Int64(Substring(parts[1])) : nil
            switch (Substring(name), number) {
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
