internal import PhotoModel

/// Formats numbers, dates and names in the language of the pages. All pages of a site share one instance.
final class PageLanguage: Sendable {
    let isRightToLeft: Bool
    let plural: PluralRule
    private let words: PageWords
    private let group: String
    private let decimal: String
    /// The smallest number of digits that are grouped.
    private let groupedDigits: Int
    private let months: [String]
    private let date: TextPattern
    private let time: TextPattern
    private let localTime: TextPattern
    private let reasons: ReasonWords

    /// - Throws: `SiteError.template` if one of the required texts is malformed.
    init(words: PageWords) throws(SiteError) {
        self.words = words
        isRightToLeft = words.isRightToLeft
        plural = PluralRule(language: words.language)
        // The file has the word "space" in place of a blank, which nobody would see at the end of a line.
        group = words.text("number.group").replacing("space", with: "\u{A0}")
        decimal = words.text("number.decimal")
        groupedDigits = Int(words.text("number.grouped-digits")) ?? 4
        months = words.text("months").split(separator: ",").map { String($0.drop { $0 == " " }) }
        guard months.count == 12 else {
            let (line, file) = words.entry("months").map { ($0.line, $1) } ?? (1, "strings/en.txt")
            throw .template(file: file, line: line, message: "expected twelve months with commas between them")
        }
        date = try words.pattern("date")
        time = try words.pattern("time")
        localTime = try words.pattern("local-time")
        reasons = try ReasonWords(words: words)
    }

    /// A text without placeholders: "filtered".
    func word(_ name: String) -> String { words.text(name) }

    func sentence(_ reason: Reason) -> String { reasons.sentence(reason) }

    /// A number with grouped digits: "1,234".
    func number(_ number: Int) -> String {
        let digits = String(number)
        guard digits.utf8.count >= groupedDigits else { return digits }
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { grouped += group }
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
        let number = tenths % 10 == 0 && !(unit == "MB" && tenths < 100) ? "" : decimal + String(tenths % 10)
        return words.text("size." + unit).replacing("{number}", with: self.number(Int(tenths / 10)) + number)
    }

    /// - Parameter machine: a time in UTC: "2026-01-02T03:04:05Z".
    func time(_ machine: String) -> String { filled(time, machine) }

    /// - Parameter machine: a time without a time zone: "2026-01-02T03:04:05".
    func localTime(_ machine: String) -> String { filled(localTime, machine) }

    /// - Parameter machine: a date, which can be followed by a time: "2026-01-02".
    func date(_ machine: String) -> String { filled(date, machine) }

    private func filled(_ pattern: TextPattern, _ machine: String) -> String {
        let digits = machine.utf8
        guard digits.count >= 10, let month = Int(part(machine, 5, 2)), (1...12).contains(month) else { return machine }
        var text = ""
        for piece in pattern.pieces {
            switch piece {
            case .text(let literal): text += literal
            case .place("date"): text += pattern == date ? "" : filled(date, machine)
            case .place("year"): text += part(machine, 0, 4)
            case .place("month"): text += months[month - 1]
            case .place("month-number"): text += part(machine, 5, 2)
            case .place("day"): text += part(machine, 8, 2).drop { $0 == "0" }
            case .place("day-number"): text += part(machine, 8, 2)
            case .place("hour"): text += part(machine, 11, 2)
            case .place("minute"): text += part(machine, 14, 2)
            case .place: break
            }
        }
        return text
    }

    /// The characters of a time at an offset, both counted in bytes. The RFC 3339 form is ASCII.
    private func part(_ machine: String, _ start: Int, _ length: Int) -> Substring {
        let digits = machine.utf8
        guard start + length <= digits.count else { return "" }
        let first = digits.index(digits.startIndex, offsetBy: start)
        return machine[first..<digits.index(first, offsetBy: length)]
    }
}
