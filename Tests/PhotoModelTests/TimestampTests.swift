import Foundation
import PhotoModel
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "A time is written as RFC 3339 in UTC, and read back as the same time",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_767_323_045, "2026-01-02T03:04:05Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-12_219_292_800, "1582-10-15T00:00:00Z"),
        ] as [(Int64, String)])
    func roundTrip(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).description == text)
        #expect(Timestamp(text)?.seconds == seconds)
    }

    @Test("Every day that can be written agrees with the calendar of the system")
    func calendar() {
        let format = Date.ISO8601FormatStyle(timeZone: .gmt)
        // Each step is 97 days and a few hours, so that the time of day changes too.
        for seconds in stride(from: -12_219_292_800 as Int64, through: 253_402_300_799, by: 97 * 86_400 + 12_345) {
            let expected = format.format(Date(timeIntervalSince1970: Double(seconds)))
            #expect(Timestamp(seconds: seconds).description == expected)
        }
    }

    @Test(
        "Any other format is refused",
        arguments: [
            "", "yesterday", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04:05+01:00", "2026-01-02t03:04:05z",
            "2026-13-02T03:04:05Z", "2026-02-30T03:04:05Z", "2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05Z ",
            "1582-10-14T00:00:00Z",
        ])
    func refusal(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("A time out of range is replaced by the nearest that can be written")
    func bounds() {
        #expect(Timestamp(seconds: .max).description == "9999-12-31T23:59:59Z")
        #expect(Timestamp(seconds: .min).description == "1582-10-15T00:00:00Z")
    }

    @Test("In JSON a time is its text")
    func json() throws {
        let moment = Timestamp(seconds: 1_767_323_045)
        let data = try JSONEncoder().encode([moment])
        #expect(String(decoding: data, as: UTF8.self) == #"["2026-01-02T03:04:05Z"]"#)
        #expect(try JSONDecoder().decode([Timestamp].self, from: data) == [moment])
    }
}
