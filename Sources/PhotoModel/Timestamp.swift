internal import Foundation

/// A point in time in whole seconds since 1970-01-01T00:00:00Z. It is written as RFC 3339 in UTC:
/// "2026-01-02T03:04:05Z".
package struct Timestamp: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    package let seconds: Int64

    /// The range of times that can be written: 1582-10-15T00:00:00Z to 9999-12-31T23:59:59Z. It begins with the first
    /// day of the Gregorian calendar, because Foundation counts earlier days in the Julian calendar and RFC 3339 does
    /// not. It ends with the last year that RFC 3339 can write.
    private static let writable: ClosedRange<Int64> = -12_219_292_800...253_402_300_799
    private static let format = Date.ISO8601FormatStyle(timeZone: .gmt)

    /// - Parameter seconds: the seconds since 1970, clamped to the range from 1582-10-15 to the end of 9999.
    package init(seconds: Int64) {
        self.seconds = min(max(seconds, Self.writable.lowerBound), Self.writable.upperBound)
    }

    /// - Returns: nil unless `text` has exactly the form "2026-01-02T03:04:05Z" and is in the range that can be
    ///   written.
    package init?(_ text: String) {
        // A text that can't be parsed is a valid outcome.
        guard let date = try? Self.format.parse(text) else { return nil }
        self.init(seconds: Int64(date.timeIntervalSince1970))
        guard description == text else { return nil }
    }

    /// The time as RFC 3339. It is formatted by hand, because a large site writes hundreds of thousands of timestamps
    /// and Foundation takes ten times as long.
    package var description: String {
        let (day, time) = seconds.quotientAndRemainder(flooringBy: 86_400)
        let (year, month, dayOfMonth) = Self.date(ofDay: day)
        return String(unsafeUninitializedCapacity: 20) { text in
            // Every index is within the capacity, because years have four digits (see `writable`).
            func write(_ number: Int64, digits: Int, at offset: Int, then mark: StaticString) {
                var rest = number
                for index in stride(from: offset + digits - 1, through: offset, by: -1) {
                    text[index] = UInt8(48 + rest % 10)
                    rest /= 10
                }
                text[offset + digits] = mark.utf8Start.pointee
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

    /// The Gregorian date of a day counted from 1970-01-01. The calculation uses years that begin in March, so that the
    /// leap day is the last day of a year.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let daysInEra: Int64 = 146_097
        // There are 719,468 days from 0000-03-01 to 1970-01-01.
        let (era, dayOfEra) = (day + 719_468).quotientAndRemainder(flooringBy: daysInEra)
        // The terms correct for the leap days every 4, 100 and 400 years.
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // From March on, the months follow a cycle of 31, 30, 31, 30 and 31 days.
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
    /// The quotient rounded down, and the remainder, which is never negative.
    fileprivate func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
