internal import ArgumentParser
internal import Foundation
internal import Manifest

/// The program: parses the command line, runs the command, and turns how it ended into an exit code.
package enum CommandLineProgram {
    package static func main() {
        StandardDescriptors.openMissing()
        Signals.endQuietlyOnQuit()
        // A reader that closes standard output early (`| head`) is no reason to die by signal.
        signal(SIGPIPE, SIG_IGN)
        // Nor is a limit on the size of files (`ulimit -f`): the call that meets it then fails, and the build says so.
        signal(SIGXFSZ, SIG_IGN)
        DescriptorLimit.raise()
        do {
            try HelpArguments(CommandLine.arguments.dropFirst()).check()
            var command = try Gallerygen.parseAsRoot()
            try command.run()
        } catch let failure as CommandFailure {
            failure.report()
            exit(failure.exitCode.rawValue)
        } catch {
            // A mistyped argument may contain a password.
            let message = Gallerygen.fullMessage(for: error)
            let shown = ShownAddress.message(message)
            guard shown != message else { Gallerygen.exit(withError: error) }
            StandardError.write(TerminalText.text(shown) + "\n")
            exit(Gallerygen.exitCode(for: error).rawValue)
        }
    }
}
