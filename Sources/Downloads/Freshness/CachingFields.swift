/// The fields of a response that say for how long it may be used without asking again, for a cache that belongs to one
/// user (RFC 9111). Where they say nothing, nothing is assumed.
package struct CachingFields: Hashable, Sendable {
    package var cacheControl: String?
    package var expires: String?
    package var age: String?
    package var date: String?
    package var vary: String?

    package init() {}

    /// No server means more than this many seconds; sums with it stay in range.
    private static let longest: Int64 = 1 << 31

    /// - Parameter now: when the response was received, seconds since 1970.
    /// - Returns: seconds since 1970, in the past if it was stale when it came; nil if it must always be asked for.
    package func freshUntil(receivedAt now: Int64) -> Int64? {
        let directives = CacheDirectives(cacheControl ?? "")
        guard directives["no-store"] == nil, directives["no-cache"] == nil, vary != "*" else { return nil }
        guard let lifetime = lifetime(directives, now: now) else { return nil }
        return now + min(max(lifetime, 0), Self.longest) - currentAge(now: now)
    }

    /// How long after it was made (RFC 9111 §4.2.1). `s-maxage` is for caches that several users share.
    private func lifetime(_ directives: CacheDirectives, now: Int64) -> Int64? {
        if let maxAge = directives["max-age"] { return Self.seconds(maxAge) ?? 0 }
        return expires.flatMap { HTTPDate.seconds($0) }.map { $0 - (date.flatMap { HTTPDate.seconds($0) } ?? now) }
    }

    /// How long ago it was made: the larger of what its date and the caches on the way say (RFC 9111 §4.2.3).
    private func currentAge(now: Int64) -> Int64 {
        let apparent = date.flatMap { HTTPDate.seconds($0) }.map { now - $0 } ?? 0
        return max(0, apparent, age.flatMap { Self.seconds($0) } ?? 0)
    }

    /// - Returns: nil for what is no number; one that no integer holds is very long (RFC 9111 §1.2.2).
    private static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? longest, longest)
    }
}

/// The directives of a `Cache-Control` field (RFC 9111 §5.2).
private struct CacheDirectives {
    private var values: [String: String] = [:]

    init(_ field: String) {
        var isQuoted = false
        let directives = field.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        for directive in directives {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.trimmed(parts[0]).lowercased()
            // Of two that contradict each other the first counts (RFC 9111 §4.2.1).
            if values[name] == nil { values[name] = parts.count > 1 ? Self.trimmed(parts[1]) : "" }
        }
    }

    subscript(name: String) -> String? { values[name] }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { " \t\"".contains($0) }
        guard let end = start.lastIndex(where: { !" \t\"".contains($0) }) else { return "" }
        return String(start[...end])
    }
}
