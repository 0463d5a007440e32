internal import ArgumentParser
internal import PhotoModel

/// `gallerygen reference PAGE`: prints a generated page of docs/reference. The help does not list this command, because
/// only developers of gallerygen need it.
struct ReferenceCommand: ParsableCommand {
    enum Page: String, ExpressibleByArgument, CaseIterable {
        case settings, reasons
        case exitCodes = "exit-codes"
    }

    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print a generated page of the reference.", shouldDisplay: false)

    @Argument var page: Page

    func run() throws {
        switch page {
        case .settings: try StandardOutput.write(SettingsReference.text)
        case .reasons: try StandardOutput.write(Self.reasons)
        case .exitCodes: try StandardOutput.write(Self.exitCodes)
        }
    }

    private static var exitCodes: String {
        """
        # Exit codes

        <!-- Written by `make reference` from Sources/Program/ExitCode.swift. -->

        | code | meaning |
        |---|---|
        \(ExitCode.meanings.map { "| \($0.code) | \($0.meaning) |" }.joined(separator: "\n"))

        Codes from 64 to 78 are those of `sysexits.h`. After any code but 0 and 1, the output folder has the site that
        it had before the run, except in these cases:

        - With `--live`, a build publishes while it works. The site is as far as the build came, says so to its
          visitors, and is completed by the next build.
        - If a build succeeds and its publication fails (`--publish`), the output folder has the new site. The next
          publication completes the target.
        - A signal ends `build --watch`. The site is that of its last complete build.
        - A disk fails in the middle of the last renames (74). A part of the new site can stay, without dead links, and
          the next build completes it.

        A build ends within two seconds after SIGINT, SIGTERM, SIGHUP or SIGQUIT, and at once after a second one.
        If the new pages are already in place, it is completed. SIGTSTP and SIGCONT suspend and resume it. SIGUSR1 makes
        it print its progress.

        """
    }

    private static var reasons: String {
        let rows = ReasonCode.allCases.map { code in
            let sentences = ReasonSentence.allCases.filter { $0.code == code }.map { text(of: $0.english) }
            return "| `\(code.rawValue)` | \(sentences.joined(separator: "<br>")) |"
        }
        return """
            # Reasons

            <!-- Written by `make reference` from Sources/PhotoModel. -->

            A photo that failed or is stale has the code of a reason in `status.json`, and one of its sentences on the
            page and in messages. Braces stand for values. [Downloads](../explanation/downloads.md) says which failures
            are tried again.

            | code | sentences |
            |---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    private static func text(of pattern: TextPattern) -> String {
        pattern.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let name): "{\(name)}"
            }
        }.joined()
    }
}
