/// A value in the sentence of a reason. It is stored as a value, because its words, unit and decimal separator depend
/// on the language in which it is shown.
package enum ReasonArgument: Hashable, Sendable {
    /// A text that is the same in every language: a host, a path, or the message of a library.
    case text(String)
    case number(Int)
    case bytes(Int64)
    case seconds(Double)
    /// A long time in seconds, shown in the largest unit that it has a whole number of.
    case period(Int64)
    case pixels(Int)
    /// An error number of the operating system.
    case systemError(Int32)
    case content(ContentKind)
    case file(FileProblem)
    case address(AddressProblem)
    case damage(Damage)

    /// Parses a value that was stored as English words: "a web page". Any other text stays a text.
    init(shown text: String) { self = Self.details[text] ?? .text(text) }

    private static let details: [String: ReasonArgument] = {
        let details =
            ContentKind.allCases.map { ($0.english, content($0)) } + FileProblem.allCases.map { ($0.english, file($0)) }
            + AddressProblem.allCases.map { ($0.english, address($0)) }
            + Damage.allCases.map { ($0.english, damage($0)) }
        return Dictionary(uniqueKeysWithValues: details)
    }()
}

// MARK: Words

extension ReasonArgument {
    /// The value as it is written in English sentences: "20 MB", "a web page".
    var english: String { text(decimal: ".") { _, english in english } }

    /// - Parameters:
    ///   - decimal: the decimal separator.
    ///   - string: returns the text of a language by its name in `Templates/strings`. It also gets the English text.
    ///     The text of a unit has the placeholder `{number}`.
    package func text(decimal: String, string: (_ name: String, _ english: String) -> String) -> String {
        func measure(_ number: String, _ name: String, _ unit: String) -> String {
            string(name, "{number} \(unit)")
                .replacing("{number}", with: number.replacing(".", with: decimal))
        }
        func text(of detail: some FailureDetail) -> String {
            string("\(type(of: detail).group).\(detail.rawValue)", detail.english)
        }
        switch self {
        case .text(let text): return text
        case .number(let number): return "\(number)"
        case .bytes(let bytes) where bytes >= 1_000_000:
            return measure(Self.tenths(bytes, of: 1_000_000), "size.MB", "MB")
        case .bytes(let bytes) where bytes >= 1_000: return measure(Self.tenths(bytes, of: 1_000), "size.kB", "kB")
        case .bytes(let bytes): return measure("\(bytes)", "size.bytes", "bytes")
        case .seconds(let seconds): return measure(Self.shortest(seconds), "duration.seconds", "s")
        case .period(let seconds):
            let unit = Self.periods.first { seconds >= $0.least && seconds % $0.length == 0 }
            guard let unit else { return measure("\(seconds)", "duration.seconds", "s") }
            return measure("\(seconds / unit.length)", unit.name, unit.english)
        case .pixels(let pixels) where pixels >= 1_000_000:
            return measure(Self.tenths(Int64(pixels), of: 1_000_000), "pixels.mega", "megapixels")
        case .pixels(let pixels): return measure("\(pixels)", "pixels.few", "pixels")
        case .systemError(let code): return systemMessage(code)
        case .content(let kind): return text(of: kind)
        case .file(let problem): return text(of: problem)
        case .address(let problem): return text(of: problem)
        case .damage(let damage): return text(of: damage)
        }
    }

    /// The units of periods, with the shortest period that each is used for: "48 h" is clearer than "2 d" as the answer
    /// to how long a picture has been the same.
    private static let periods: [(length: Int64, least: Int64, name: String, english: String)] = [
        (86_400, 3 * 86_400, "duration.days", "d"), (3_600, 3_600, "duration.hours", "h"),
        (60, 60, "duration.minutes", "min"),
    ]

    /// A number with at most one decimal, rounded down: "20" or "1.5".
    private static func tenths(_ number: Int64, of unit: Int64) -> String {
        let tenths = number / (unit / 10)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// A number without unnecessary decimals: "90" or "0.5".
    private static func shortest(_ number: Double) -> String {
        Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

// MARK: Stored form

/// The stored form is a string in JSON for a text and a number for a number. For any other value it is an object with
/// the kind of the value as its key: `{"bytes":20000000}`, `{"content":"web-page"}`.
extension ReasonArgument: Codable {
    /// The kinds of details, which are the keys of the stored objects.
    private enum Kind: String, CodingKey {
        case bytes, seconds, period, pixels
        case systemError = "system-error"
        case content, file, address, damage
    }

    package init(from decoder: any Decoder) throws {
        // A decoder doesn't tell the type of a JSON value, so decoding is tried.
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(shown: text)
            return
        }
        if let number = try? decoder.singleValueContainer().decode(Int.self) {
            self = .number(number)
            return
        }
        let object = try decoder.container(keyedBy: Kind.self)
        guard let kind = object.allKeys.first else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "unknown value"))
        }
        self =
            switch kind {
            case .bytes: .bytes(try object.decode(Int64.self, forKey: kind))
            case .seconds: .seconds(try object.decode(Double.self, forKey: kind))
            case .period: .period(try object.decode(Int64.self, forKey: kind))
            case .pixels: .pixels(try object.decode(Int.self, forKey: kind))
            case .systemError: .systemError(try object.decode(Int32.self, forKey: kind))
            case .content: .content(try object.decode(ContentKind.self, forKey: kind))
            case .file: .file(try object.decode(FileProblem.self, forKey: kind))
            case .address: .address(try object.decode(AddressProblem.self, forKey: kind))
            case .damage: .damage(try object.decode(Damage.self, forKey: kind))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text): try encode(text, to: encoder)
        case .number(let number): try encode(number, to: encoder)
        case .bytes(let bytes): try encode(bytes, as: .bytes, to: encoder)
        case .seconds(let seconds): try encode(seconds, as: .seconds, to: encoder)
        case .period(let seconds): try encode(seconds, as: .period, to: encoder)
        case .pixels(let pixels): try encode(pixels, as: .pixels, to: encoder)
        case .systemError(let code): try encode(code, as: .systemError, to: encoder)
        case .content(let kind): try encode(kind.rawValue, as: .content, to: encoder)
        case .file(let problem): try encode(problem.rawValue, as: .file, to: encoder)
        case .address(let problem): try encode(problem.rawValue, as: .address, to: encoder)
        case .damage(let damage): try encode(damage.rawValue, as: .damage, to: encoder)
        }
    }

    private func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private func encode(_ value: some Encodable, as kind: Kind, to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Kind.self)
        try object.encode(value, forKey: kind)
    }
}
