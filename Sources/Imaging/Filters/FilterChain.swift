/// Filter functions that are applied in order. As in CSS `filter:`, each result is clamped to what can be displayed.
package struct FilterChain: Hashable, Sendable, CustomStringConvertible {
    let functions: [FilterFunction]

    /// The chain that changes nothing.
    package static let none = FilterChain(functions: [])

    /// The default filter: `sepia(0.8)`.
    package static let standard = FilterChain(functions: [FilterFunction(.sepia, 0.8)])

    init(functions: [FilterFunction]) {
        self.functions = functions
    }

    /// Parses a `<filter-function-list>` of CSS Filter Effects Module Level 1, or `none`.
    ///
    /// The functions are sepia, grayscale, saturate, brightness, contrast, invert and hue-rotate. Amounts are numbers
    /// or percentages and never negative. Angles have a unit (deg, grad, rad, turn) unless they are 0. A function
    /// without a parameter has the default of the specification.
    package init(parsing text: String) throws(FilterSyntaxError) {
        var parser = FilterParser(text)
        self = try parser.chain()
    }

    package var isEmpty: Bool { functions.isEmpty }

    /// The canonical text, which parses to an equal chain: "sepia(0.8)", or "none".
    package var description: String {
        isEmpty ? "none" : functions.map(\.css).joined(separator: " ")
    }

    /// The name, version and parameter of each filter, for recipes: "sepia/1(0.8)", or "none".
    package var identity: String {
        isEmpty ? "none" : functions.map(\.identity).joined(separator: " ")
    }

    /// The chain of an identity, without the versions of the filters, as people write it: "sepia(0.8)" for
    /// "sepia/1(0.8)".
    package static func text(ofIdentity identity: String) -> String {
        identity.replacing(/([a-z-]+)\/[0-9]+\(([^)]*)\)/) { function in
            let takesAngle = FilterFunction.Kind(rawValue: String(function.1))?.takesAngle ?? false
            return "\(function.1)(\(function.2)\(takesAngle ? "deg" : ""))"
        }
    }
}
