internal import ArgumentParser

/// The root command.
struct Gallerygen: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallerygen",
        abstract: "Build a static web gallery from a list of pictures that live elsewhere.",
        discussion: """
            A manifest is an XML property list of photo names and addresses. Photos are downloaded, filtered (sepia by \
            default) and published, each on a page of its own. If a photo can't be fetched, its page shows a \
            placeholder with the reason. A second run does only what has changed.

            Exit codes: \(ExitCode.meanings.map { "\($0.code) \($0.meaning)" }.joined(separator: "; ")).

            A build ends within two seconds after SIGINT, SIGTERM, SIGHUP or SIGQUIT, and at once after a second one. \
            If the new pages are already in place, it is completed. SIGTSTP and SIGCONT suspend and resume it; SIGUSR1 \
            prints its progress.
            """,
        version: Version.number,
        subcommands: [
            BuildCommand.self, ServeCommand.self, PublishCommand.self, StatusCommand.self, CheckCommand.self,
            InitCommand.self, CleanCommand.self, ShardsCommand.self, ReferenceCommand.self,
        ])
}
