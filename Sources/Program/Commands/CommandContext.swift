internal import Foundation
internal import Gallery

/// The resolved settings and the console that every command starts with.
struct CommandContext {
    let given: GivenArguments
    let settings: ResolvedSettings
    let console: Console
    let environment: [String: String]

    /// - Parameters:
    ///   - sendsRequests: whether the command sends requests, and so needs certificates and the like.
    ///   - printedWarnings: the warnings that were printed before and are not repeated.
    ///   - keepsErrors: whether mistakes in the settings are kept in `settings.errors` and not thrown.
    init(
        _ given: GivenArguments, sendsRequests: Bool, printedWarnings: [String] = [], keepsErrors: Bool = false
    ) throws(CommandFailure) {
        self.given = given
        do {
            let environment = try ProcessEnvironment.read()
            settings = try ResolvedSettings(
                given, sendsRequests: sendsRequests, environment: environment,
                standardInput: { () throws(SettingsError) in try StandardInput.read() })
            self.environment = environment.variables
            console = Console(
                verbosity: settings.verbosity, colour: settings.colour, environment: environment.variables)
        } catch {
            throw CommandFailure([error])
        }
        if !keepsErrors, !settings.errors.isEmpty { throw CommandFailure(settings.errors) }
        for warning in settings.warnings where !printedWarnings.contains(warning) { console.remark(warning) }
    }
}
