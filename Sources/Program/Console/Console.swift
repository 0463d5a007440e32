internal import Dispatch
internal import Foundation
internal import Gallery
internal import PhotoModel
internal import Synchronization

/// Writes messages for people to standard error, and the progress line if standard error is a terminal.
///
/// `@unchecked Sendable`: `clock` is set once, and a dispatch source can be used from any thread. All other state is
/// behind locks.
package final class Console: @unchecked Sendable {
    enum Verbosity: Int, Comparable {
        case quiet, normal, verbose

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let verbosity: Verbosity
    private let isColoured: Bool
    /// The progress line. The mutex holds nil if the output is not a terminal that can rewrite a line.
    private let progress: Mutex<ProgressLine?>
    /// Redraws the progress line at intervals, so that a slow build visibly goes on even while no photo finishes.
    private let clock: any DispatchSourceTimer
    private let counts = Mutex((done: 0, total: 0, noun: "photo"))

    init(verbosity: Verbosity, colour: Colour, environment: [String: String]) {
        self.verbosity = verbosity
        isColoured = colour.isShown(in: environment, onTerminal: StandardError.isTerminal)
        // A dumb terminal can't move its cursor, so it can't rewrite a line.
        let canRewrite = StandardError.isTerminal && environment["TERM"] != "dumb" && LogFormat.current == .text
        progress = Mutex(canRewrite && verbosity > .quiet ? ProgressLine() : nil)
        clock = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "gallerygen.console"))
        clock.setEventHandler { [weak self] in self?.draw() }
        // A dispatch source must be active before it is released. Its timer does not fire until a build begins.
        clock.schedule(deadline: .distantFuture)
        clock.activate()
    }

    /// Prints a message that is not needed to understand the outcome.
    func detail(_ text: String) {
        if verbosity == .verbose { line(text) }
    }

    func info(_ text: String) {
        if verbosity > .quiet { line(text) }
    }

    /// Prints a warning that needs attention, even with --quiet.
    func warn(_ text: String) { line(text, marked: yellow("warning: "), severity: .warning) }

    /// Prints a warning about a likely mistake.
    func remark(_ text: String) {
        if verbosity > .quiet { warn(text) }
    }

    /// The severity of a message in --log-format json.
    enum Severity: String {
        case info, warning, error
    }

    /// Prints a line even with --quiet.
    /// - Parameter mark: a word of the program before the text, with its colour. Unlike the text, it is written
    ///   unescaped.
    func line(_ text: String, marked mark: String = "", severity: Severity = .info) {
        guard LogFormat.current == .text else {
            var event = LogEvent("diagnostic")
            event.add("severity", severity.rawValue)
            event.add("message", text)
            return StandardError.write(event.line)
        }
        let line = mark + TerminalText.text(text) + "\n"
        progress.withLock { StandardError.write(($0?.erase() ?? "") + line) }
    }

    /// Writes an event if messages are JSON.
    /// - Parameter isProblem: whether the event is written even with --quiet.
    func event(_ name: String, isProblem: Bool = false, _ fill: (inout LogEvent) -> Void) {
        guard LogFormat.current == .json, isProblem || verbosity > .quiet else { return }
        var event = LogEvent(name)
        fill(&event)
        StandardError.write(event.line)
    }

    func red(_ text: String) -> String { paint(text, "31") }

    func yellow(_ text: String) -> String { paint(text, "33") }

    /// Starts the progress line if the output is a terminal.
    /// - Parameters:
    ///   - total: the number of photos, or of what else is counted.
    ///   - noun: the singular of what is counted.
    ///   - unchanged: the number of photos that need no work.
    ///   - slowest: a closure that returns the running work that has taken longest.
    func began(
        total: Int, of noun: String = "photo", unchanged: Int = 0,
        slowest: @escaping @Sendable () -> SlowWork? = { nil }
    ) {
        counts.withLock { $0 = (unchanged, total, noun) }
        let isShown = progress.withLock { line in
            line?.begin(total: total, of: noun, unchanged: unchanged, slowest: slowest)
            return line != nil
        }
        guard isShown else { return }
        clock.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(200))
    }

    /// Prints the progress, for SIGUSR1.
    func printProgress() {
        let (done, total, noun) = counts.withLock { $0 }
        guard LogFormat.current == .text else {
            return event("progress", isProblem: true) { event in
                event.add("done", done)
                event.add(noun + "s", total)
            }
        }
        line("\(done) of \(counted(total, noun)) done")
    }

    func finishedOne() {
        counts.withLock { $0.done += 1 }
        progress.withLock { $0?.countOne() }
    }

    /// Removes the progress line at the end of a build or a publication.
    func ended() {
        clock.schedule(deadline: .distantFuture)
        progress.withLock { line in
            if let text = line?.erase() { StandardError.write(text) }
            line?.end()
        }
    }

    private func draw() {
        progress.withLock { line in
            if let text = line?.redraw(), !text.isEmpty { StandardError.write(text) }
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
