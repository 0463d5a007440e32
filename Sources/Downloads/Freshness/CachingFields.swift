/// The fields of a response that say for how long a private cache may use it without another request (RFC 9111). If
/// they say nothing, no freshness is assumed.
package struct CachingFields: Hashable, Sendable {
    package var cacheControl: String?
    package var expires: String?
    package var age: String?
    package var date: String?
    package var vary: String?

    package init() {}

    /// - Parameter now: when the response was received, in seconds since 1970.
    /// - Returns: the time until which the response is fresh, in seconds since 1970. It is in the past if the response
    ///   was stale on arrival, and nil if the response must always be revalidated.
    package func freshUntil(receivedAt now: Int64) -> Int64? { freshUntil(freshness, receivedAt: now) }

    /// The same for a freshness that can come from an earlier response, with the age and the date of this response.
    func freshUntil(_ freshness: Freshness, receivedAt now: Int64) -> Int64? {
        guard freshness.canBeFresh else { return nil }
        let made = date.flatMap { HTTPDate.seconds($0) }
        return freshness.lifetime(from: made ?? now).map { now + $0 - currentAge(now: now, made: made) }
    }

    /// The freshness that these fields give.
    var freshness: Freshness { freshness(after: Freshness()) }

    /// The freshness after a 304 with these fields, which confirms a response with the freshness `stored`. Each field
    /// of the 304 replaces the stored one, and the others stay (RFC 9111 §3.2, §4.3.4).
    func freshness(after stored: Freshness) -> Freshness {
        var freshness = stored
        if let cacheControl {
            let directives = CacheDirectives(cacheControl)
            freshness.forbidsReuse = directives.forbidsReuse
            freshness.maxAge = directives.maxAge.map { Self.seconds($0) ?? 0 }
        }
        // A value that is no date, such as "0", means a time in the past (RFC 9111 §5.3).
        if let expires { freshness.expires = HTTPDate.seconds(expires) ?? 0 }
        if vary != nil { freshness.variesWithEverything = variesWithEverything }
        return freshness
    }

    /// Whether the response can't be used for any later request (`Vary: *`, RFC 9111 §4.1).
    private var variesWithEverything: Bool {
        vary?.split(separator: ",").contains { $0.utf8.allSatisfy { [0x20, 0x09, UInt8(ascii: "*")].contains($0) } }
            ?? false
    }

    /// The age of the response: the larger of the values that its date and the caches give (RFC 9111 §4.2.3).
    private func currentAge(now: Int64, made: Int64?) -> Int64 {
        let apparent = made.map { now - $0 } ?? 0
        return max(0, apparent, age.flatMap { Self.seconds($0) } ?? 0)
    }

    /// - Returns: the number of seconds; nil if the text is not a number. A number that exceeds every integer counts as
    ///   very long (RFC 9111 §1.2.2).
    private static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? Freshness.longest, Freshness.longest)
    }
}

/// The directives of a `Cache-Control` field (RFC 9111 §5.2) that matter to a private cache.
private struct CacheDirectives {
    /// Whether the field has `no-store` or `no-cache`. `no-cache` counts even with field names, because it is simpler
    /// to handle a response as a whole.
    private(set) var forbidsReuse = false
    /// The value of `max-age`. If there are several, the first counts (RFC 9111 §4.2.1).
    private(set) var maxAge: String?

    init(_ field: String) {
        var field = field
        field.withUTF8 { read($0) }
    }

    private mutating func read(_ field: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var isQuoted = false
        for end in 0...field.count {
            if end < field.count {
                if field[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
                guard field[end] == UInt8(ascii: ","), !isQuoted else { continue }
            }
            add(field[start..<end])
            start = end + 1
        }
    }

    private mutating func add(_ directive: Slice<UnsafeBufferPointer<UInt8>>) {
        let end = directive.firstIndex(of: UInt8(ascii: "=")) ?? directive.endIndex
        let name = Self.trimmed(directive[..<end])
        if Self.isNamed("no-store", name) || Self.isNamed("no-cache", name) {
            forbidsReuse = true
        } else if maxAge == nil, Self.isNamed("max-age", name) {
            maxAge = String(decoding: Self.trimmed(directive[end...].dropFirst()), as: UTF8.self)
        }
    }

    /// Whether the bytes are this name, ignoring case.
    private static func isNamed(_ name: StaticString, _ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        name.withUTF8Buffer { name in
            name.count == bytes.count
                && zip(name, bytes).allSatisfy { $0 == $1 || (0x41...0x5A).contains($1) && $0 == $1 | 0x20 }
        }
    }

    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "\"") }
        let start = bytes.drop(while: isSpace)
        return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? start
    }
}
