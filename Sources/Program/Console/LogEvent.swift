internal import Foundation

/// An event of --log-format json: an object on a line of its own (JSON Lines). docs/reference/log.md lists the events
/// and their keys.
struct LogEvent {
    private var text: String

    /// - Parameter name: the value of the key `event`.
    init(_ name: String) {
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
        text = "{\"event\":\(Self.quoted(name)),\"time\":\(Self.quoted(time))"
    }

    /// The object with a line break.
    var line: String { text + "}\n" }

    /// Adds a key, unless the value is nil.
    mutating func add(_ key: String, _ value: String?) {
        if let value { add(key, json: Self.quoted(value)) }
    }

    mutating func add(_ key: String, _ values: [String]) {
        add(key, json: "[\(values.map(Self.quoted).joined(separator: ","))]")
    }

    mutating func add(_ key: String, _ value: (some BinaryInteger)?) {
        if let value { add(key, json: "\(value)") }
    }

    mutating func add(_ key: String, _ value: Bool) { add(key, json: "\(value)") }

    /// Adds a duration in seconds, rounded to milliseconds.
    mutating func add(_ key: String, _ time: Duration) {
        add(key, json: "\((Double(time / .milliseconds(1))).rounded() / 1000)")
    }

    mutating func add(_ key: String, counts: [(String, Int)]) {
        add(key, json: "{\(counts.map { "\(Self.quoted($0)):\($1)" }.joined(separator: ","))}")
    }

    private mutating func add(_ key: String, json: String) { text += ",\(Self.quoted(key)):\(json)" }

    /// A JSON string (RFC 8259 §7). Control characters of terminals are escaped too, because people read logs there.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where TerminalText.isHarmless(scalar): result.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result + "\""
    }
}
