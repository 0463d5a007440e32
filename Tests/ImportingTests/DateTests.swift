import Importing
import Manifest
import PhotoModel
import Testing

@Suite("Dates of sources")
struct DateTests {
    @Test(
        "A date of RFC 3339, ISO 8601 or RFC 822, one with dots, or a time since 1970, becomes a time in UTC",
        arguments: [
            ("2024-05-06", "2024-05-06T00:00:00Z"), ("2024-05-06T10:20:30.5Z", "2024-05-06T10:20:30Z"),
            ("2024-01-01 00:30+01:00", "2023-12-31T23:30:00Z"), ("2024-12-31T23:59:60Z", "2024-12-31T23:59:59Z"),
            ("2024-02-29T23:00:00-23:59", "2024-03-01T22:59:00Z"), ("6 May 24 10:00 EST", "2024-05-06T15:00:00Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"), ("1577836800", "2020-01-01T00:00:00Z"),
            ("1577836800.25", "2020-01-01T00:00:00Z"), ("1577836800999", "2020-01-01T00:00:00Z"),
            ("06.05.2024", "2024-05-06T00:00:00Z"), ("6.5.2024", "2024-05-06T00:00:00Z"),
            ("31.12.2024 14:30", "2024-12-31T00:00:00Z"), ("6.5.2024, 9:05:07", "2024-05-06T00:00:00Z"),
        ])
    func converted(source: String, date: String) throws {
        #expect(try written(source) == date)
    }

    @Test(
        "A text that is no date stays as it is, and the list is read again",
        arguments: [
            "0000-00-00T00:00:00Z", "2019-13-45T00:00:00Z", "2024-02-30T10:00:00Z", "2024-02-28T24:00:00Z",
            "1 May 2019 (approx)Z", "Mon, 01 Jan 2024 -9223372036854775807:00:00 GMT",
            "Mon, 01 Jan 2024 9223372036854775807:00:00 GMT", "01 Jan 2024 10:-9223372036854775807 GMT",
            "01 Jan 2024 10:00:-5 GMT", "01 Jan 2024 -6:00:00 GMT", "2024-05-06T10:00:00+36:00",
            "2024-05-06T10:00:00-99:99", "0001-01-01T00:00:00+01:00", "9999999999-01-01", "157783680", "15778368000",
            "0577836800", "1577836800.x", "-157783680", "06/05/2024", "30.02.2024", "5.13.2024", "6.5.24", "2024.05.06",
            "06.05.", "06..2024", "006.05.2024", "06.05.2024,", "06.05.2024 14", "06.05.2024 24:00", "06.05.2024 14:",
            "06.05.2024 um 14:30", "+6.05.2024", "00.05.2024",
        ])
    func kept(text: String) throws {
        #expect(try written(text) == text)
    }

    /// The date of a photo in the list that is written for a source with this date, as a build reads it.
    private func written(_ date: String) throws -> String? {
        let list = try Import.file("url,name,date\nhttps://example.org/a.jpg,A,\"\(date)\"\n", name: "list.csv")
        return try Import.written(list).photos.first?.details.date
    }
}
