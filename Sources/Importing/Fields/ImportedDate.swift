internal import PhotoModel

/// Converts the dates of sources to the form of property lists.
enum ImportedDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// `YYYY-MM-DDThh:mm:ssZ` for a date of RFC 3339, of ISO 8601 with a day, of RFC 822 (RSS), with dots as in
    /// "6.5.2024", or in seconds or milliseconds since 1970. A day without a time becomes its midnight. Any other text
    /// is returned unchanged.
    static func text(_ text: String) -> String {
        iso(text) ?? mail(text) ?? dotted(text) ?? unix(text) ?? text
    }

    /// Whether a text is a date in the only form in which property lists write dates, which `text` returns for dates.
    static func isTimestamp(_ text: String) -> Bool { text.utf8.count == 20 && iso(text) == text }

    /// The day of a time by the camera's clock, such as "2019-07-04T12:34:56", whose time zone is unknown.
    static func day(_ text: String) -> String { iso(String(text.prefix(10))) ?? text }

    private static func iso(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10])
        else { return nil }
        guard bytes.count > 10 else { return form(year, month, day, 0, 0, 0, offset: 0) }
        guard "T t".utf8.contains(bytes[10]), bytes.count >= 16, bytes[13] == UInt8(ascii: ":"),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16])
        else { return nil }
        var rest = bytes[16...]
        var second = 0
        if rest.first == UInt8(ascii: ":"), let value = number(rest.dropFirst().prefix(2)) {
            second = value
            rest = rest.dropFirst(3)
            if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { (0x30...0x39).contains($0) } }
        }
        // Without a time zone the exact time is unknown, and the day is what people look for.
        guard !rest.isEmpty else { return form(year, month, day, 0, 0, 0, offset: 0) }
        return zone(String(decoding: rest, as: UTF8.self)).flatMap {
            form(year, month, day, hour, minute, second, offset: $0)
        }
    }

    /// Converts a date such as "Mon, 01 Jan 2024 10:00:00 GMT".
    private static func mail(_ text: String) -> String? {
        var parts = text.split(separator: " ").map(String.init)
        if parts.first?.hasSuffix(",") == true { parts.removeFirst() }
        guard parts.count >= 4, let day = Int(parts[0]), var year = Int(parts[2]),
            let month = months.firstIndex(of: parts[1].prefix(3).lowercased())
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        let clock = parts[3].split(separator: ":").map { Int($0) }
        guard clock.count >= 2, let hour = clock[0], let minute = clock[1] else { return nil }
        let second = clock.count > 2 ? clock[2] ?? 0 : 0
        guard let offset = zone(parts.count > 4 ? parts[4] : "GMT") else { return nil }
        return form(year, month + 1, day, hour, minute, second, offset: offset)
    }

    /// Converts a date such as "06.05.2024" or "6.5.2024, 14:30". Where people write dates with dots and the year at
    /// the end, the day is first. With slashes, the month can be first too. The time zone is unknown, so only the day
    /// counts.
    private static func dotted(_ text: String) -> String? {
        let words = text.utf8.split(separator: UInt8(ascii: " "))
        guard let first = words.first, words.count <= 2 else { return nil }
        let date = words.count == 2 && first.last == UInt8(ascii: ",") ? first.dropLast() : first
        let parts = date.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2, parts[2].count == 4,
            let day = number(parts[0]), let month = number(parts[1]), let year = number(parts[2])
        else { return nil }
        let clock = words.dropFirst().flatMap {
            $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        }
        let time = clock.compactMap { $0.count <= 2 ? number($0) : nil }
        guard time.count == clock.count, [0, 2, 3].contains(time.count) else { return nil }
        let (hour, minute, second) = (time.first ?? 0, time.dropFirst().first ?? 0, time.dropFirst(2).first ?? 0)
        guard form(year, month, day, hour, minute, second, offset: 0) != nil else { return nil }
        return form(year, month, day, 0, 0, 0, offset: 0)
    }

    /// Converts ten digits, which are seconds since 1970, or thirteen, which are milliseconds.
    private static func unix(_ text: String) -> String? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: ".") }
        let fraction = text.utf8.dropFirst(digits.count + 1)
        guard digits.count == 10 || digits.count == 13, digits.first != UInt8(ascii: "0"),
            fraction.allSatisfy({ (0x30...0x39).contains($0) }), let time = number(digits)
        else { return nil }
        return Timestamp(seconds: Int64(digits.count == 10 ? time : time / 1_000)).description
    }

    /// The offset of a time zone in minutes, positive to the east of Greenwich.
    private static func zone(_ text: String) -> Int? {
        let names = [
            "Z": 0, "UT": 0, "GMT": 0, "UTC": 0, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300,
            "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
        ]
        if let minutes = names[text.uppercased()] { return minutes }
        let digits = Array(text.utf8.filter { $0 != UInt8(ascii: ":") })
        guard digits.count == 5, let sign = ["+": 1, "-": -1][String(text.prefix(1))],
            let hours = number(digits[1..<3]), let minutes = number(digits[3..<5])
        else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private static func form(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int, offset: Int
    ) -> String? {
        guard (1...9998).contains(year), (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second), abs(offset) < 1_440
        else { return nil }
        var (year, month, day) = (year, month, day)
        var minutes = hour * 60 + minute - offset
        if minutes < 0 {
            minutes += 1_440
            day -= 1
            if day == 0 {
                (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
                day = days(in: month, of: year)
            }
        } else if minutes >= 1_440 {
            minutes -= 1_440
            day += 1
            if day > days(in: month, of: year) {
                (year, month, day) = month == 12 ? (year + 1, 1, 1) : (year, month + 1, 1)
            }
        }
        guard year > 0 else { return nil }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(minutes / 60)):\(padded(minutes % 60)):"
            + "\(padded(min(second, 59)))Z"
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func padded(_ number: Int, _ digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
