internal import ArgumentParser
internal import Foundation
internal import Manifest

/// The program: parses the command line, runs the command, and turns its failure into an exit code.
package enum CommandLineProgram {
    /// - Parameter setReturnsMemory: decides whether the allocator of the process returns memory to the system as soon
    ///   as it is unused.
    package static func main(allocator setReturnsMemory: @escaping @Sendable (Bool) -> Void) {
        UnusedMemory.use(setReturnsMemory)
        StandardDescriptors.openMissing()
        Signals.endQuietlyOnQuit()
        // With SIGPIPE ignored, a write to standard output fails if its reader has closed it (`| head`). Otherwise the
        // signal would end the process.
        signal(SIGPIPE, SIG_IGN)
        // With SIGXFSZ ignored, a write beyond the limit on file sizes (`ulimit -f`) fails, and the build reports it.
        signal(SIGXFSZ, SIG_IGN)
        // If SIGCHLD was ignored when the program was started, the system would discard the exit code of rsync.
        signal(SIGCHLD, SIG_DFL)
        DescriptorLimit.raise()
        do {
            try checkArguments()
            try CommandName(CommandLine.arguments.dropFirst()).check()
            var command = try Gallerygen.parseAsRoot()
            try command.run()
        } catch let failure as CommandFailure {
            failure.report()
            exit(failure.exitCode.rawValue)
        } catch {
            let code = Gallerygen.exitCode(for: error).rawValue
            // Help, the version and completion scripts arrive as errors with code 0 and quote no argument.
            guard code != 0 else {
                guard Gallerygen.fullMessage(for: error) == Version.number else { Gallerygen.exit(withError: error) }
                writeVersion()
                return
            }
            // The message quotes arguments, and a mistyped argument can contain a password.
            let message = Gallerygen.fullMessage(for: error)
            let shown = ShownAddress.message(message)
            guard shown != message else { Gallerygen.exit(withError: error) }
            StandardError.write(TerminalText.text(shown) + "\n")
            exit(code)
        }
    }

    /// Refuses arguments that are not UTF-8. Swift would replace their bytes, and a path would lead to another file.
    private static func checkArguments() throws(CommandFailure) {
        for (index, argument) in CommandLine.arguments.enumerated().dropFirst()
        where argument.unicodeScalars.contains("\u{FFFD}") {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            throw CommandFailure(.usage, "'\(argument)' is not UTF-8; if it names a file, rename it")
        }
    }

    private static func writeVersion() {
        do {
            try StandardOutput.write(Version.text)
        } catch {
            error.report()
            exit(error.exitCode.rawValue)
        }
    }
}
