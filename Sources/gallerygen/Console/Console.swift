internal import Foundation
internal import Synchronization

/// Writes messages for people to standard error, and the progress line when that is a terminal.
final class Console: Sendable {
    enum Verbosity: Int, Comparable {
        case quiet, normal, verbose

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    enum Colour: String, CaseIterable {
        case auto, always, never
    }

    let verbosity: Verbosity
    private let isColoured: Bool
    /// nil where no line can be rewritten.
    private let progress: Mutex<ProgressLine>?
    private let counts = Mutex((done: 0, total: 0))

    init(verbosity: Verbosity, colour: Colour, environment: [String: String]) {
        self.verbosity = verbosity
        isColoured =
            switch colour {
            case .always: true
            case .never: false
            case .auto: StandardError.isTerminal && environment["NO_COLOR", default: ""].isEmpty
            }
        progress = StandardError.isTerminal && verbosity > .quiet ? Mutex(ProgressLine()) : nil
    }

    /// Says something that is not needed to understand the outcome.
    func detail(_ text: String) {
        if verbosity == .verbose { line(text) }
    }

    func say(_ text: String) {
        if verbosity > .quiet { line(text) }
    }

    func warn(_ text: String) {
        if verbosity > .quiet { line(paint("warning:", "33") + " " + text) }
    }

    /// Says what stays unsaid only when nothing is wrong.
    func line(_ text: String) {
        guard let progress else {
            StandardError.write(text + "\n")
            return
        }
        progress.withLock { StandardError.write($0.erasure + text + "\n") }
    }

    func red(_ text: String) -> String { paint(text, "31") }

    func bold(_ text: String) -> String { paint(text, "1") }

    func began(total: Int) {
        counts.withLock { $0 = (0, total) }
        progress?.withLock { $0.begin(total: total) }
    }

    /// How far the build is, for SIGUSR1.
    var standing: String {
        let (done, total) = counts.withLock { $0 }
        return "\(done) of \(total) photos done"
    }

    func finishedOne() {
        counts.withLock { $0.done += 1 }
        progress?.withLock { line in
            if let text = line.advance() { StandardError.write(text) }
        }
    }

    func ended() { progress?.withLock { StandardError.write($0.end()) } }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
