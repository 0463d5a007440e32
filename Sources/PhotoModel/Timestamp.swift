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
        guard let date = try? Self.format.parse(text) else { return nil }
        self.init(seconds: Int64(date.timeIntervalSince1970))
        guard description == text else { return nil }
    }

    package var description: String {
        Self.format.format(Date(timeIntervalSince1970: Double(seconds)))
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
