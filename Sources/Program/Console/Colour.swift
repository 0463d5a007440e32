extension Console {
    /// When to use colours.
    package enum Colour: String, CaseIterable, Sendable {
        case auto, always, never

        /// Whether they are used in an output.
        ///
        /// `auto` follows what programs agree on: NO_COLOR (no-color.org) and a terminal that is dumb say no;
        /// CLICOLOR_FORCE says yes also where there is no terminal, and CLICOLOR=0 no where there is one
        /// (bixense.com/clicolors).
        package func isShown(in environment: [String: String], onTerminal isTerminal: Bool) -> Bool {
            switch self {
            case .always: return true
            case .never: return false
            case .auto:
                if !environment["NO_COLOR", default: ""].isEmpty { return false }
                if !["", "0"].contains(environment["CLICOLOR_FORCE", default: ""]) { return true }
                return isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
            }
        }
    }
}
