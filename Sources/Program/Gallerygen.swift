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

            Exit codes: 0 the site is up to date; 1 the same, but photos failed under --strict; 64 usage; 65 manifest \
            invalid; 66 manifest missing; 70 internal error; 73 the output folder can't be made or isn't ours; 74 read \
            or write error; 75 another build holds the lock; 78 settings invalid; 129, 130, 131, 143 interrupted.

            A build ends within two seconds after SIGINT, SIGTERM, SIGHUP or SIGQUIT, and at once after a second one. \
            SIGTSTP and SIGCONT suspend and resume it; SIGUSR1 prints its progress.
            """,
        version: Version.number,
        subcommands: [
            BuildCommand.self, StatusCommand.self, CheckCommand.self, InitCommand.self, CleanCommand.self,
            SettingsReferenceCommand.self,
        ])
}
