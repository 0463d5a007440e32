internal import ArgumentParser

/// `gallerygen settings-reference`: prints docs/SETTINGS.md. For those who work on the program, so no help shows it.
struct SettingsReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings-reference", abstract: "Print the reference page of the settings.", shouldDisplay: false)

    func run() throws { try StandardOutput.write(SettingsReference.text) }
}
