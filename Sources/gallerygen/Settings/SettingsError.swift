/// What is wrong with a setting; names it, where it stands, and what is allowed.
struct SettingsError: Error, Equatable {
    /// Where the setting stands.
    enum Place: Equatable {
        case flag
        case environment
        /// "gallery.yaml:3:9", or the file alone.
        case file(String)
    }

    let place: Place
    let message: String

    var exitCode: ExitCode {
        switch place {
        case .flag: .usage
        case .environment, .file: .settingsInvalid
        }
    }
}
