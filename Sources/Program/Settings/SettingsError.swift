package import Watching

/// What is wrong with a setting; names it, where it stands, and what is allowed.
package struct SettingsError: Error, Equatable {
    /// Where the setting stands.
    package enum Place: Equatable {
        case flag
        case environment
        /// "gallery.yaml:3:9", or the file alone.
        case file(String)
        /// A file that a setting names and that is not there.
        case missing
        /// Standard input, which a manifest was to come from.
        case standardInput
    }

    package let place: Place
    package let message: String
    /// What the settings name and could not be read: when it changes, they may be right.
    package var awaited = WatchedPaths()

    package var exitCode: ExitCode {
        switch place {
        case .flag: .usage
        case .environment, .file: .settingsInvalid
        case .missing, .standardInput: .manifestUnreachable
        }
    }
}
