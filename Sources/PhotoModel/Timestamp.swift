internal import Foundation

/// A moment in whole seconds since 1970-01-01T00:00:00Z. Written as RFC 3339 in UTC: "2026-01-02T03:04:05Z".
package struct Timestamp: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    package let seconds: Int64

    /// From the first day of the Gregorian calendar, before which Foundation counts days in the Julian one and RFC 3339
    /// does not, to the last year that RFC 3339 can write: 1582-10-15T00:00:00Z to 9999-12-31T23:59:59Z.
    private static let writable: ClosedRange<Int64> = -12_219_292_800...253_402_300_799
    private static let format = Date.ISO8601FormatStyle(timeZone: .gmt)

    /// - Parameter seconds: Since 1970; brought to the nearest that can be written, from 1582-10-15 to the end of 9999.
    package init(seconds: Int64) {
        self.seconds = min(max(seconds, Self.writable.lowerBound), Self.writable.upperBound)
    }

    /// - Returns: nil unless `text` has exactly the form "2026-01-02T03:04:05Z" and can be written again.
    package init?(_ text: String) {
        // A text that can't be parsed is a valid outcome.
        guard let date = try? Self.format.parse(text) else { return nil }
        self.init(seconds: Int64(date.timeIntervalSince1970))
        guard description == text else { return nil }
    }

    /// Formatted by hand, because a large site writes hundreds of thousands of timestamps and Foundation takes ten
    /// times as long.
    package var description: String {
        let (day, time) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, dayOfMonth) = Self.date(ofDay: day)
        return String(unsafeUninitializedCapacity: 20) { text in
            // Within the capacity: years have four digits, see `writable`.
            func write(_ number: Int64, digits: Int, at place: Int, then mark: StaticString) {
                var rest = number
                for index in stride(from: place + digits - 1, through: place, by: -1) {
                    text[index] = UInt8(48 + rest % 10)
                    rest /= 10
                }
                text[place + digits] = mark.utf8Start.pointee
            }
            write(year, digits: 4, at: 0, then: "-")
            write(month, digits: 2, at: 5, then: "-")
            write(dayOfMonth, digits: 2, at: 8, then: "T")
            write(time / 3_600, digits: 2, at: 11, then: ":")
            write(time / 60 % 60, digits: 2, at: 14, then: ":")
            write(time % 60, digits: 2, at: 17, then: "Z")
            return 20
        }
    }

    /// The Gregorian date of a day since 1970-01-01, counted in years that begin in March, so that the leap day is
    /// the last of its year.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let daysInEra: Int64 = 146_097
        // Days from 0000-03-01 to 1970-01-01.
        let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(flooringBy: daysInEra)
        // Every 4 years, 100 years and 400 years another year is not like the others.
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Months of 31, 30, 31, 30 and 31 days, again and again from March on.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfMonth)
    }

    package static func < (earlier: Timestamp, later: Timestamp) -> Bool { earlier.seconds < later.seconds }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time as RFC 3339 in UTC")
        }
        self = timestamp
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Int64 {
    /// The quotient rounded down, and what is left, which is never negative.
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
