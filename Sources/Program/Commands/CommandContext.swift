internal import Foundation
internal import Gallery

/// What every command begins with: settings resolved, and a console to speak through.
struct CommandContext {
    let settings: ResolvedSettings
    let console: Console
    let environment: [String: String]

    /// - Parameter told: remarks that were made before.
    init(flags: SettingFlags, buildFlags: BuildFlags?, told: [String] = []) throws(CommandFailure) {
        do {
            let surroundings = try Surroundings.read()
            settings = try ResolvedSettings(
                flags: flags, buildFlags: buildFlags, surroundings: surroundings,
                standardInput: { () throws(SettingsError) in try StandardInput.read() })
            environment = surroundings.environment
            console = Console(
                verbosity: settings.verbosity, colour: settings.colour, environment: surroundings.environment)
        } catch {
            throw CommandFailure(error.exitCode, error.message, awaited: error.awaited)
        }
        for warning in settings.warnings where !told.contains(warning) { console.remark(warning) }
    }
}
