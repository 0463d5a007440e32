internal import Foundation
internal import PhotoModel
internal import Processes

/// The command of `--on-change`, which `/bin/sh -c` runs.
package struct ChangeCommand: Sendable {
    /// Why a command has not done its work.
    package enum Problem: Error {
        /// The shell could not be started; `errno` is that of posix_spawn(3).
        case start(errno: Int32)
        /// The exit code is not 0; `detail` is the last line that the command wrote.
        case failed(code: Int32, detail: String?)
        case timeout
        case interrupted
    }

    private let command: String
    /// The folder in which the command runs.
    private let folder: String
    private let environment: [String: String]
    /// The command is ended after this time.
    private let limit: Duration

    /// How much of each output is kept, in bytes.
    private static let outputLimit = 16_384

    package init(_ command: String, folder: String, environment: [String: String], limit: Duration) {
        self.command = command
        self.folder = folder
        self.environment = environment
        self.limit = limit
    }

    /// Runs the command to its end, together with all that it has started.
    /// - Parameter input: the bytes of its standard input. The command need not read them.
    /// - Returns: what the command wrote, or the end of it if it was long.
    package func run(input: [UInt8], isCancelled: () -> Bool) throws(Problem) -> String {
        let child = ChildProcess(
            command: ["/bin/sh", "-c", command], environment: environment, folder: folder, input: input,
            outputLimit: Self.outputLimit)
        let deadline = ContinuousClock.now + limit
        let outcome: ChildProcess.Outcome
        do throws(ChildProcess.Problem) {
            outcome = try child.run(isCancelled: { isCancelled() || .now >= deadline })
        } catch {
            switch error {
            case .start(let code), .wait(let code): throw .start(errno: code)
            case .interrupted: throw isCancelled() ? .interrupted : .timeout
            }
        }
        let written = outcome.output + outcome.errors
        guard outcome.code == 0 else {
            let last = (outcome.errors.isEmpty ? outcome.output : outcome.errors)
                .split(whereSeparator: \.isNewline).last.map(String.init)
            throw .failed(code: outcome.code, detail: last)
        }
        return written
    }
}

extension ChangeCommand.Problem {
    /// The problem as part of a warning.
    package var message: String {
        switch self {
        case .start(let code): "it can't be started: \(systemMessage(code))"
        case .failed(let code, let detail):
            (code > 128 ? "it was ended by signal \(code - 128)" : "it failed with exit code \(code)")
                + (detail.map { ": \($0)" } ?? "")
        case .timeout: "it did not end in time (on-change-timeout) and was ended"
        case .interrupted: "it was ended because of the interruption"
        }
    }
}
