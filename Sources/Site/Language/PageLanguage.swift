internal import PhotoModel

/// Formats numbers, dates and names in the language of the pages. All pages of a site share one instance.
final class PageLanguage: Sendable {
    let isRightToLeft: Bool
    let plural: PluralRule
    private let strings: PageStrings
    private let groupSeparator: String
    private let decimalSeparator: String
    /// The smallest number of digits that are grouped.
    private let groupedDigits: Int
    private let months: [String]
    private let date: TextPattern
    private let time: TextPattern
    private let localTime: TextPattern
    /// For each unit, the texts around the number.
    private let sizes: [String: [String]]
    private let markSince: TextPattern
    private let reasons: ReasonStrings

    /// - Throws: `SiteError.template` if one of the required texts is malformed.
    init(strings: PageStrings) throws(SiteError) {
        self.strings = strings
        guard ["ltr", "rtl"].contains(strings.text("direction")) else {
            throw Self.error("expected ltr or rtl as the direction", in: "direction", strings)
        }
        isRightToLeft = strings.isRightToLeft
        plural = PluralRule(language: strings.language)
        // The file has the word "space" in place of a blank, which nobody would see at the end of a line.
        groupSeparator = strings.text("number.group").replacing("space", with: "\u{A0}")
        decimalSeparator = strings.text("number.decimal")
        guard let groupedDigits = Int(strings.text("number.grouped-digits")) else {
            throw Self.error("expected a number of digits", in: "number.grouped-digits", strings)
        }
        self.groupedDigits = groupedDigits
        sizes = Dictionary(
            uniqueKeysWithValues: ["B", "kB", "MB"].map { unit in
                let text = strings.text("size." + unit)
                return (unit, text.split(separator: "{number}", omittingEmptySubsequences: false).map(String.init))
            })
        months = strings.text("months").split(separator: ",").map { String($0.drop { $0 == " " }) }
        guard months.count == 12 else {
            throw Self.error("expected twelve months with commas between them", in: "months", strings)
        }
        date = try strings.pattern("date")
        time = try strings.pattern("time")
        localTime = try strings.pattern("local-time")
        markSince = try strings.pattern("mark-since")
        reasons = try ReasonStrings(strings: strings)
    }

    private static func error(_ message: String, in name: String, _ strings: PageStrings) -> SiteError {
        let (line, file) = strings.entry(name).map { ($0.line, $1) } ?? (1, "strings/en.txt")
        return .template(file: file, line: line, message: message)
    }

    /// A text without placeholders: "filtered".
    func string(_ name: String) -> String { strings.text(name) }

    func sentence(_ reason: Reason) -> String { reasons.sentence(reason) }

    func sentence(_ mark: PhotoMark) -> String { reasons.sentence(mark) }

    /// A mark as the script of the page shows it, like the template `reason`: "frozen since 2 January 2026, 03:04 UTC:
    /// The picture …"
    func text(of mark: PhotoMark) -> String {
        let values = [
            "label": string("state." + mark.code.rawValue), ">time-since": time(mark.since.description),
            "message": sentence(mark),
        ]
        return markSince.filled(with: values)
    }

    /// A number with grouped digits: "1,234".
    func number(_ number: Int) -> String {
        let digits = String(number)
        guard digits.utf8.count >= groupedDigits else { return digits }
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { grouped += groupSeparator }
            grouped.append(digit)
        }
        return grouped
    }

    /// A size in decimal units: "1.2 MB".
    func size(_ bytes: Int64) -> String {
        let (tenths, unit) =
            switch bytes {
            case 10_000_000...: ((bytes + 500_000) / 1_000_000 * 10, "MB")
            case 999_500...: ((bytes + 50_000) / 100_000, "MB")
            case 1_000...: ((bytes + 500) / 1_000 * 10, "kB")
            default: (bytes * 10, "B")
            }
        let number = tenths % 10 == 0 && !(unit == "MB" && tenths < 100) ? "" : decimalSeparator + String(tenths % 10)
        return sizes[unit, default: []].joined(separator: self.number(Int(tenths / 10)) + number)
    }

    /// - Parameter datetime: a time in UTC: "2026-01-02T03:04:05Z".
    func time(_ datetime: String) -> String { format(time, datetime) }

    /// - Parameter datetime: a time without a time zone: "2026-01-02T03:04:05".
    func localTime(_ datetime: String) -> String { format(localTime, datetime) }

    /// - Parameter datetime: a date, which can be followed by a time: "2026-01-02".
    func date(_ datetime: String) -> String { format(date, datetime) }

    private func format(_ pattern: TextPattern, _ datetime: String) -> String {
        let digits = datetime.utf8
        guard digits.count >= 10, let month = Int(part(datetime, 5, 2)), (1...12).contains(month) else {
            return datetime
        }
        var text = ""
        for piece in pattern.pieces {
            switch piece {
            case .text(let literal): text += literal
            case .placeholder("date"): text += pattern == date ? "" : format(date, datetime)
            case .placeholder("year"): text += part(datetime, 0, 4)
            case .placeholder("month"): text += months[month - 1]
            case .placeholder("month-number"): text += part(datetime, 5, 2)
            case .placeholder("day"): text += part(datetime, 8, 2).drop { $0 == "0" }
            case .placeholder("day-number"): text += part(datetime, 8, 2)
            case .placeholder("hour"): text += part(datetime, 11, 2)
            case .placeholder("minute"): text += part(datetime, 14, 2)
            case .placeholder: break
            }
        }
        return text
    }

    /// The characters of a time at an offset, both counted in bytes. The RFC 3339 form is ASCII.
    private func part(_ datetime: String, _ start: Int, _ length: Int) -> Substring {
        let digits = datetime.utf8
        guard start + length <= digits.count else { return "" }
        let first = digits.index(digits.startIndex, offsetBy: start)
        return datetime[first..<digits.index(first, offsetBy: length)]
    }
}
