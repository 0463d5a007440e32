internal import Foundation
internal import Gallery

/// The start of every command: resolved settings, and a console.
struct CommandContext {
    let settings: ResolvedSettings
    let console: Console
    let environment: [String: String]

    /// - Parameter told: remarks that were made before.
    init(flags: SettingFlags, buildFlags: BuildFlags?, told: [String] = []) throws(CommandFailure) {
        do {
            let environment = try ProcessEnvironment.read()
            settings = try ResolvedSettings(
                flags: flags, buildFlags: buildFlags, environment: environment,
                standardInput: { () throws(SettingsError) in try StandardInput.read() })
            self.environment = environment.variables
            console = Console(
                verbosity: settings.verbosity, colour: settings.colour, environment: environment.variables)
        } catch {
            throw CommandFailure(error.exitCode, error.message, awaited: error.awaited)
        }
        for warning in settings.warnings where !told.contains(warning) { console.remark(warning) }
    }
}
