/// Parses the text of a filter chain, one Unicode scalar at a time, by the grammar of CSS Filter Effects Level 1 and
/// CSS Syntax Level 3.
struct FilterParser {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    mutating func chain() throws(FilterSyntaxError) -> FilterChain {
        var functions: [FilterFunction] = []
        var saysNone = false
        skipWhiteSpace()
        guard current != nil else { throw error(.empty) }
        while current != nil {
            let start = position
            let name = identifier()
            if name == "none", current != "(" {
                guard functions.isEmpty, !saysNone else { throw error(.noneWithOthers, at: start) }
                saysNone = true
            } else {
                guard !saysNone else { throw error(.noneWithOthers, at: start) }
                functions.append(try function(named: name, from: start))
            }
            skipWhiteSpace()
        }
        return FilterChain(functions: functions)
    }

    private mutating func function(named name: String, from start: Int) throws(FilterSyntaxError) -> FilterFunction {
        guard !name.isEmpty else { throw error(.expectedFunction, at: start) }
        guard let kind = FilterFunction.Kind(rawValue: name) else { throw error(.unknownFunction(name), at: start) }
        guard current == "(" else { throw error(.missingOpeningParenthesis(function: name)) }
        position += 1
        skipWhiteSpace()
        var parameter = kind.defaultParameter
        if current != ")" {
            parameter = kind.takesAngle ? try angle(of: name) : try amount(of: name)
            skipWhiteSpace()
        }
        guard current == ")" else { throw error(.missingClosingParenthesis(function: name)) }
        position += 1
        return FilterFunction(kind, parameter)
    }

    /// Parses a `<number>` or `<percentage>`, and returns it as a number.
    private mutating func amount(of function: String) throws(FilterSyntaxError) -> Double {
        let start = position
        var value = try number(of: function)
        let unitStart = position
        if current == "%" {
            position += 1
            value /= 100
        } else {
            let unit = identifier()
            guard unit.isEmpty else { throw error(.unitOnAmount(function: function, unit: unit), at: unitStart) }
        }
        guard value >= 0 else { throw error(.negative(function: function), at: start) }
        return value
    }

    /// Parses an `<angle>` or `<zero>`, and returns it in degrees.
    private mutating func angle(of function: String) throws(FilterSyntaxError) -> Double {
        let start = position
        let value = try number(of: function)
        let unitStart = position
        let unit = current == "%" ? "%" : identifier()
        let degrees: Double
        switch unit {
        case "deg": degrees = value
        case "grad": degrees = value * 0.9
        case "rad": degrees = value * 180 / .pi
        case "turn": degrees = value * 360
        case "" where value == 0: degrees = 0
        case "": throw error(.missingAngleUnit(function: function), at: unitStart)
        default: throw error(.unknownAngleUnit(function: function, unit: unit), at: unitStart)
        }
        guard degrees.isFinite else { throw error(.tooLarge(function: function), at: start) }
        return degrees
    }

    /// Parses a `<number-token>` of CSS Syntax Level 3. A point needs a digit after it, and an `e` needs an exponent.
    private mutating func number(of function: String) throws(FilterSyntaxError) -> Double {
        let start = position
        if current == "+" || current == "-" { position += 1 }
        let whole = skipDigits()
        var fraction = 0
        if current == ".", isDigit(at: position + 1) {
            position += 1
            fraction = skipDigits()
        }
        guard whole + fraction > 0 else { throw error(.notANumber(function: function), at: start) }
        if current == "e" || current == "E" {
            let sign = scalar(at: position + 1)
            let digits = position + (sign == "+" || sign == "-" ? 2 : 1)
            if isDigit(at: digits) {
                position = digits
                skipDigits()
            }
        }
        var digits = String.UnicodeScalarView()
        digits.append(contentsOf: scalars[start..<position])
        guard let value = Double(String(digits)) else { throw error(.notANumber(function: function), at: start) }
        guard value.isFinite else { throw error(.tooLarge(function: function), at: start) }
        return value
    }

    @discardableResult
    private mutating func skipDigits() -> Int {
        let start = position
        while isDigit(at: position) { position += 1 }
        return position - start
    }

    /// Parses the identifier at the position, and returns it in lower case, because CSS compares names without regard
    /// to ASCII case. Returns "" if there is none.
    private mutating func identifier() -> String {
        var name = ""
        while let scalar = current,
            scalar == "-" || scalar == "_" || scalar.properties.isAlphabetic || isDigit(at: position)
        {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        return name.lowercased()
    }

    private mutating func skipWhiteSpace() {
        while let scalar = current, [" ", "\t", "\n", "\r", "\u{C}"].contains(scalar) { position += 1 }
    }

    private var current: Unicode.Scalar? { scalar(at: position) }

    private func scalar(at index: Int) -> Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func isDigit(at index: Int) -> Bool { scalar(at: index).map { ("0"..."9").contains($0) } ?? false }

    private func error(_ problem: FilterSyntaxError.Problem, at index: Int? = nil) -> FilterSyntaxError {
        FilterSyntaxError(text: text, column: (index ?? position) + 1, problem: problem)
    }
}
