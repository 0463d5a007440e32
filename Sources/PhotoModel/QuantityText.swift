/// Numbers with units as people write them: durations such as "10s", and sizes.
package enum QuantityText {
    private static let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
    private static let longest = 10 * 365 * 86_400.0

    /// Parses a duration such as "10s", "2m", "500ms", "1h" or "1.5s", from 1 ms to ten years.
    package static func duration(_ text: String) -> Duration? {
        scaled(text, units: units, minimum: 0.001, maximum: longest).map { .milliseconds(Int64(($0 * 1000).rounded())) }
    }

    /// Whether a text is 0, with or without a unit of time.
    package static func isZero(_ text: String) -> Bool {
        scaled(text, units: units + [("", 1)], minimum: 0, maximum: 0) != nil
    }

    /// Parses a decimal number with one of the units, of which the first that matches counts.
    /// - Returns: the number times the factor of its unit; nil if it is out of range.
    package static func scaled(
        _ text: String, units: [(String, Double)], minimum: Double, maximum: Double
    ) -> Double? {
        for (unit, factor) in units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
                let number = Double(digits)
            else { continue }
            let value = number * factor
            return (minimum...maximum).contains(value) ? value : nil
        }
        return nil
    }
}
