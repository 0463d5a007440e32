/// A server's request to be left alone for a while (`Retry-After`, RFC 9110 §10.2.3).
package struct RetryAfter: Hashable, Sendable {
    /// The status that it came with: 429 or 503.
    package let status: Int
    /// Seconds since 1970.
    package let until: Int64

    package init(status: Int, until: Int64) {
        self.status = status
        self.until = until
    }

    /// The longest pause that is believed, in seconds; longer ones are a mistake or a wrong clock.
    static let longest: Int64 = 86_400

    /// - Parameter now: seconds since 1970.
    func holds(at now: Int64) -> Bool { until > now && until - now <= Self.longest }
}

extension RetryAfter {
    /// - Parameters:
    ///   - field: seconds, or a date.
    ///   - now: seconds since 1970.
    /// - Returns: seconds from now, 0 for what is past, at most a day; nil for what is neither form.
    static func seconds(in field: String, now: Int64) -> Int64? {
        let asked = Int64(field) ?? HTTPDate.seconds(field).map { $0 - now } ?? digitsOnly(field)
        return asked.map { min(max($0, 0), longest) }
    }

    /// A number of seconds that no integer holds.
    private static func digitsOnly(_ field: String) -> Int64? {
        !field.isEmpty && field.utf8.allSatisfy { (0x30...0x39).contains($0) } ? longest : nil
    }
}
