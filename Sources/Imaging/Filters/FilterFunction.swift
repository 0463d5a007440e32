/// A function of a filter chain: its name and its parameter.
struct FilterFunction: Hashable, Sendable {
    /// The supported functions, by their names in CSS Filter Effects Level 1 §"Filter functions".
    enum Kind: String, CaseIterable, Sendable {
        case sepia
        case grayscale
        case saturate
        case brightness
        case contrast
        case invert
        case hueRotate = "hue-rotate"

        /// Whether the parameter is an angle. Otherwise it is an amount, which is never negative.
        var takesAngle: Bool { self == .hueRotate }

        /// The parameter of a function that is written without one.
        var defaultParameter: Double { takesAngle ? 0 : 1 }

        /// The largest amount that makes a difference; amounts above it have the same effect. If the specification sets
        /// no maximum, the value is far beyond the last visible change, and keeps the fixed-point arithmetic in range.
        var maximum: Double {
            switch self {
            case .sepia, .grayscale, .invert: 1
            case .saturate, .brightness, .contrast: 65536
            case .hueRotate: .infinity
            }
        }

        /// The version, which is raised when the result of the function changes, so that all derivatives made with it
        /// are made again.
        var version: Int { 1 }
    }

    let kind: Kind
    /// The angle in degrees, or the amount from 0 to `kind.maximum`.
    let parameter: Double

    /// - Parameter parameter: a finite number. Above the kind's maximum, it is reduced to that.
    init(_ kind: Kind, _ parameter: Double) {
        self.kind = kind
        // Adding 0 turns -0 into 0; -0 would be written differently.
        self.parameter = min(parameter, kind.maximum) + 0
    }

    /// The function in CSS syntax: "sepia(0.8)".
    var css: String { "\(kind.rawValue)(\(number)\(kind.takesAngle ? "deg" : ""))" }

    /// The name, version and parameter: "sepia/1(0.8)".
    var identity: String { "\(kind.rawValue)/\(kind.version)(\(number))" }

    /// The shortest decimal that parses to the same value.
    private var number: String {
        parameter == parameter.rounded() && abs(parameter) < 1e15 ? String(Int(parameter)) : String(parameter)
    }
}
