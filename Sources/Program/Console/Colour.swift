extension Console {
    /// The value of --color.
    package enum Colour: String, CaseIterable, Sendable {
        case auto, always, never

        /// Whether an output is coloured.
        ///
        /// `auto` follows the common conventions: NO_COLOR (no-color.org) and a dumb terminal switch colours off,
        /// CLICOLOR_FORCE switches them on without a terminal, and CLICOLOR=0 switches them off on one
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
