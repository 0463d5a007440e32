package import Watching

/// A mistake in a setting. The message names the setting, its place and the allowed values.
package struct SettingsError: Error, Equatable {
    /// The place of the setting.
    package enum Origin: Equatable {
        case flag
        case environment
        /// A settings file: the position, such as "gallery.yaml:3:9", or the name of the file alone.
        case file(String)
        /// A file that a setting names and that does not exist.
        case missing
        /// Standard input, which was given as a manifest and can't be read.
        case standardInput
    }

    package let origin: Origin
    package let message: String
    /// Files that the settings name and that could not be read. `--watch` tries again when they change.
    package var awaited = WatchedPaths()

    package var exitCode: ExitCode {
        switch origin {
        case .flag: .usage
        case .environment, .file: .settingsInvalid
        case .missing, .standardInput: .manifestUnreachable
        }
    }
}
