package import Watching

/// A mistake in a setting: names the setting, its place, and the allowed values.
package struct SettingsError: Error, Equatable {
    /// The place of the setting.
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
    /// Files that the settings name and that could not be read. A change of these may mend the settings.
    package var awaited = WatchedPaths()

    package var exitCode: ExitCode {
        switch place {
        case .flag: .usage
        case .environment, .file: .settingsInvalid
        case .missing, .standardInput: .manifestUnreachable
        }
    }
}
