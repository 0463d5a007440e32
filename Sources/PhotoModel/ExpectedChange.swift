/// How soon the bytes of a photo are expected to change.
package enum ExpectedChange: Hashable, Sendable {
    /// The bytes may stay the same for ever. An entry says so if the default of the gallery does not apply to it.
    case never
    /// The bytes change within this number of seconds, at least 1.
    case within(seconds: Int64)

    /// The allowed values, for messages.
    package static let allowed = "a duration from 1s such as 24h, or never"

    /// Parses "24h" or "never".
    package init?(_ text: String) {
        if text == "never" {
            self = .never
        } else if let seconds = QuantityText.duration(text)?.components.seconds, seconds >= 1 {
            self = .within(seconds: seconds)
        } else {
            return nil
        }
    }

    /// The time in seconds; nil if no change is expected.
    package var seconds: Int64? {
        if case .within(let seconds) = self { seconds } else { nil }
    }
}
