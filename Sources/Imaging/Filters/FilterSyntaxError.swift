/// Why a text is not a filter chain, and where the fault is.
package struct FilterSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults that a text can have.
    package enum Problem: Hashable, Sendable {
        case empty
        case expectedFunction
        case unknownFunction(String)
        case noneWithOthers
        case missingOpeningParenthesis(function: String)
        case missingClosingParenthesis(function: String)
        case notANumber(function: String)
        case negative(function: String)
        case tooLarge(function: String)
        case unitOnAmount(function: String, unit: String)
        case unknownAngleUnit(function: String, unit: String)
        case missingAngleUnit(function: String)
    }

    /// The whole text as it was given.
    package let text: String
    /// The position of the fault in the text, in Unicode scalars, counted from 1.
    package let column: Int
    package let problem: Problem

    package var description: String {
        "filter \"\(text)\", column \(column): \(explanation)"
    }

    private var explanation: String {
        switch problem {
        case .empty: "the filter is empty (use \"none\" for no filter)"
        case .expectedFunction: "expected a filter function: \(Self.known)"
        case .unknownFunction(let name): "unknown filter function \(name)(); the functions are \(Self.known)"
        case .noneWithOthers: "\"none\" can't be combined with other filters"
        case .missingOpeningParenthesis(let function): "expected ( right after \(function)"
        case .missingClosingParenthesis(let function): "expected ) after the parameter of \(function)()"
        case .notANumber(let function): "\(function)() takes one \(Self.parameter(of: function))"
        case .negative(let function): "\(function)() takes no negative amount"
        case .tooLarge(let function): "the parameter of \(function)() is too large"
        case .unitOnAmount(let function, let unit):
            "\(function)() takes a number or a percentage, without the unit \(unit)"
        case .unknownAngleUnit(let function, let unit):
            "\(function)() takes an angle in deg, grad, rad or turn, not in \(unit)"
        case .missingAngleUnit(let function): "\(function)() takes an angle with its unit: deg, grad, rad or turn"
        }
    }

    private static let known = FilterFunction.Kind.allCases.map { "\($0.rawValue)()" }.joined(separator: ", ")

    private static func parameter(of function: String) -> String {
        FilterFunction.Kind(rawValue: function)?.takesAngle == true
            ? "angle, such as 90deg" : "number or percentage, such as 0.8 or 80%"
    }
}
