/// A function of a filter chain: its name and its parameter.
struct FilterFunction: Hashable, Sendable {
    /// The functions there are, by the names of CSS Filter Effects Level 1 §"Filter functions".
    enum Kind: String, CaseIterable, Sendable {
        case sepia
        case grayscale
        case saturate
        case brightness
        case contrast
        case invert
        case hueRotate = "hue-rotate"

        /// Whether the parameter is an angle; otherwise it is an amount, and never negative.
        var takesAngle: Bool { self == .hueRotate }

        /// The parameter of a function written with none.
        var defaultParameter: Double { takesAngle ? 0 : 1 }

        /// Amounts above have the same effect. Where the specification sets no maximum, one far beyond the last visible
        /// change keeps the fixed-point arithmetic in range.
        var maximum: Double {
            switch self {
            case .sepia, .grayscale, .invert: 1
            case .saturate, .brightness, .contrast: 65536
            case .hueRotate: .infinity
            }
        }

        /// Raised when the result of the function changes, so that everything made with it is made again.
        var version: Int { 1 }
    }

    let kind: Kind
    /// Degrees for an angle; otherwise an amount from 0 to `kind.maximum`.
    let parameter: Double

    /// - Parameter parameter: finite; brought down to the kind's maximum.
    init(_ kind: Kind, _ parameter: Double) {
        self.kind = kind
        // Adding 0 makes 0 of -0, which would otherwise be written differently.
        self.parameter = min(parameter, kind.maximum) + 0
    }

    /// The function in CSS syntax: "sepia(0.8)".
    var css: String { "\(kind.rawValue)(\(number)\(kind.takesAngle ? "deg" : ""))" }

    /// Name, version and parameter: "sepia/1(0.8)".
    var identity: String { "\(kind.rawValue)/\(kind.version)(\(number))" }

    /// The shortest decimal that reads back as the same value.
    private var number: String {
        parameter == parameter.rounded() && abs(parameter) < 1e15 ? String(Int(parameter)) : String(parameter)
    }
}
