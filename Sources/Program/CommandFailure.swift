internal import Foundation
internal import Gallery
internal import Importing
internal import Manifest
internal import Publish
internal import Watching

/// The reason why a command ends without having done its work: an exit code for programs, and messages for people.
struct CommandFailure: Error {
    let exitCode: ExitCode
    /// A message for each mistake; empty if the command has already printed everything.
    let messages: [String]
    /// Files that could not be read and might appear later. `--watch` waits for them.
    let awaited: WatchedPaths

    init(_ exitCode: ExitCode, _ message: String? = nil, awaited: WatchedPaths = WatchedPaths()) {
        self.init(exitCode, messages: message.map { [$0] } ?? [], awaited: awaited)
    }

    init(_ exitCode: ExitCode, messages: [String], awaited: WatchedPaths = WatchedPaths()) {
        self.exitCode = exitCode
        self.messages = messages
        self.awaited = awaited
    }

    func report() {
        for message in shownMessages {
            switch LogFormat.current {
            case .text: StandardError.write("gallerygen: \(TerminalText.text(message))\n")
            case .json:
                var event = LogEvent("diagnostic")
                event.add("severity", "error")
                event.add("message", message)
                event.add("exit_code", exitCode.rawValue)
                StandardError.write(event.line)
            }
        }
    }

    /// The messages without passwords, which a mistyped address might have brought into them.
    var shownMessages: [String] { messages.map(ShownAddress.message) }
}

extension CommandFailure {
    /// - Parameter errors: the mistakes, at least one. The first determines the exit code.
    init(_ errors: [SettingsError]) {
        self.init(
            errors.first?.exitCode ?? .settingsInvalid, messages: errors.map(\.message),
            awaited: errors.reduce(WatchedPaths()) { $0.union($1.awaited) })
    }

    /// - Parameters:
    ///   - signal: the signal that interrupted the build; nil if none did.
    ///   - isLive: whether the build publishes photos before its end.
    init(_ error: GalleryError, signal: Int32? = nil, isLive: Bool = false) {
        if case .options(let failure as CommandFailure) = error {
            self = failure
            return
        }
        let code: ExitCode =
            switch error {
            case .manifestUnreachable: .manifestUnreachable
            case .manifest, .noPhotos, .filter: .manifestInvalid
            case .source(_, .unreadableFolder): .manifestUnreachable
            case .source(_, .unreadableResult): .bug
            case .source: .manifestInvalid
            case .site(let error): ExitCode(error)
            case .storage, .damagedLedger, .store, .noResults: .inputOutput
            case .unsuitableStore: .cannotCreate
            case .locked: .locked
            case .interrupted, .publish(.interrupted): .signal(signal ?? SIGINT)
            case .publish(let error): ExitCode(error)
            case .bug, .options: .bug
            }
        if case .interrupted = error, isLive {
            self.init(code, "interrupted; photos that were finished may be on the site already")
        } else {
            self.init(code, error.message)
        }
    }
}
