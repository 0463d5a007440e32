import Foundation
import PhotoModel
import Testing

@Suite("Marks") struct MarkTests {
    @Test(
        "A period has the largest unit that it is a whole number of, but days only from three on",
        arguments: [
            (1, "1 s"), (90, "90 s"), (120, "2 min"), (5_400, "90 min"), (86_400, "24 h"), (172_800, "48 h"),
            (259_200, "3 d"), (604_800, "7 d"), (608_400, "169 h"),
        ])
    func periods(seconds: Int64, text: String) {
        let mark = PhotoMark.frozen(since: Timestamp(seconds: 0), expectedWithin: seconds)
        #expect(mark.message == "The picture was expected to change within \(text), but is still the same.")
    }

    @Test(
        "A frozen photo has its mark since the change was due, however long the period of a shared record is",
        arguments: [(60, 65), (.max, 253_402_300_799), (.min, -12_219_292_800)] as [(Int64, Int64)])
    func began(period: Int64, seconds: Int64) {
        let mark = PhotoMark.frozen(since: Timestamp(seconds: 5), expectedWithin: period)
        #expect(mark.began == Timestamp(seconds: seconds))
    }

    @Test("The message of a mark is parsed into its sentence and values again")
    func parsing() {
        let since = Timestamp(seconds: 5)
        let mark = PhotoMark.frozen(since: since, expectedWithin: 86_400)
        let parsed = PhotoMark(.frozen, since: since, message: mark.message)
        #expect(parsed.sentence == .frozen && parsed.message == mark.message)
        let unknown = PhotoMark(.frozen, since: since, message: "Of a later version.")
        #expect(unknown.sentence == .verbatim && unknown.message == "Of a later version.")
    }

    @Test(
        "An expected change is a duration of at least a second, or never",
        arguments: [
            ("24h", .within(seconds: 86_400)), ("1s", .within(seconds: 1)), ("90m", .within(seconds: 5_400)),
            ("1.5d", .within(seconds: 129_600)), ("never", .never), ("0", nil), ("500ms", nil), ("soon", nil),
            ("", nil), ("24", nil),
        ] as [(String, ExpectedChange?)])
    func expectedChanges(text: String, expected: ExpectedChange?) {
        #expect(ExpectedChange(text) == expected)
    }
}
