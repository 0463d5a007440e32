/// A server's request not to be contacted for a while (`Retry-After`, RFC 9110 §10.2.3).
package struct RetryAfter: Hashable, Sendable {
    /// The status of the response, usually 429 or 503.
    package let status: Int
    /// The end of the pause, in seconds since 1970.
    package let until: Int64

    package init(status: Int, until: Int64) {
        self.status = status
        self.until = until
    }

    /// The longest pause that is honoured, in seconds. A longer one is a mistake, or comes from a wrong clock.
    static let longest: Int64 = 86_400

    /// Whether the pause is still in effect.
    ///
    /// - Parameter now: the current time in seconds since 1970.
    func isActive(at now: Int64) -> Bool { until > now && until - now <= Self.longest }
}

extension RetryAfter {
    /// Reads a `Retry-After` field.
    ///
    /// - Parameters:
    ///   - field: the value of the field, in seconds or as a date.
    ///   - now: the current time in seconds since 1970.
    /// - Returns: the number of seconds from now, from 0 for a date in the past to at most a day; nil if the field has
    ///   neither form.
    static func seconds(in field: String, now: Int64) -> Int64? {
        let asked = Int64(field) ?? HTTPDate.seconds(field).map { $0 - now } ?? digitsOnly(field)
        return asked.map { min(max($0, 0), longest) }
    }

    /// The longest pause, if the field is a number of seconds that exceeds every integer; nil otherwise.
    private static func digitsOnly(_ field: String) -> Int64? {
        !field.isEmpty && field.utf8.allSatisfy { (0x30...0x39).contains($0) } ? longest : nil
    }
}
