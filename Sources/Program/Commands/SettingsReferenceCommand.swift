internal import ArgumentParser

/// `gallerygen settings-reference`: prints docs/SETTINGS.md. No help shows this command, since only those who work on
/// gallerygen need it.
struct SettingsReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings-reference", abstract: "Print the reference page of the settings.", shouldDisplay: false)

    func run() throws { try StandardOutput.write(SettingsReference.text) }
}
