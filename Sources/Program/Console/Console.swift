internal import Dispatch
internal import Foundation
internal import Synchronization

/// Writes messages for people to standard error, and the progress line when that is a terminal.
///
/// `@unchecked Sendable`: `clock` is set once, and a dispatch source may be used from any thread; the rest is behind
/// locks.
package final class Console: @unchecked Sendable {
    enum Verbosity: Int, Comparable {
        case quiet, normal, verbose

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let verbosity: Verbosity
    private let isColoured: Bool
    /// nil inside where no line can be rewritten.
    private let progress: Mutex<ProgressLine?>
    /// Draws the progress line anew; also while nothing is finished, so that a slow build is seen to be alive.
    private let clock: any DispatchSourceTimer
    private let counts = Mutex((done: 0, total: 0))

    init(verbosity: Verbosity, colour: Colour, environment: [String: String]) {
        self.verbosity = verbosity
        isColoured = colour.isShown(in: environment, onTerminal: StandardError.isTerminal)
        // A terminal that can't move its cursor can't write over a line either.
        let canRewrite = StandardError.isTerminal && environment["TERM"] != "dumb"
        progress = Mutex(canRewrite && verbosity > .quiet ? ProgressLine() : nil)
        clock = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "gallerygen.console"))
        clock.setEventHandler { [weak self] in self?.draw() }
        // A source must be active before it may go; it has nothing to do until a build begins.
        clock.schedule(deadline: .distantFuture)
        clock.activate()
    }

    /// Says something that is not needed to understand the outcome.
    func detail(_ text: String) {
        if verbosity == .verbose { line(text) }
    }

    func say(_ text: String) {
        if verbosity > .quiet { line(text) }
    }

    /// Says what somebody should see to, however quiet the console is to be.
    func warn(_ text: String) { line(text, marked: yellow("warning: ")) }

    /// Says what looks like a slip.
    func remark(_ text: String) {
        if verbosity > .quiet { warn(text) }
    }

    /// Says it however quiet the console is to be.
    /// - Parameter mark: our own words before the text, painted or not.
    func line(_ text: String, marked mark: String = "") {
        let line = mark + TerminalText.text(text) + "\n"
        progress.withLock { StandardError.write(($0?.taken() ?? "") + line) }
    }

    func red(_ text: String) -> String { paint(text, "31") }

    func yellow(_ text: String) -> String { paint(text, "33") }

    /// A build of so many photos begins; on a terminal its progress is shown from now on.
    /// - Parameter kept: how many of them need no work.
    func began(total: Int, kept: Int) {
        counts.withLock { $0 = (kept, total) }
        let isShown = progress.withLock { line in
            line?.begin(total: total, kept: kept)
            return line != nil
        }
        guard isShown else { return }
        clock.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(200))
    }

    /// Prints the progress, for SIGUSR1.
    var standing: String {
        let (done, total) = counts.withLock { $0 }
        return "\(done) of \(total) photos done"
    }

    /// Says how far the build is.
    func tellStanding() { line(standing) }

    func finishedOne() {
        counts.withLock { $0.done += 1 }
        progress.withLock { $0?.countOne() }
    }

    /// The build has ended: the progress line goes.
    func ended() {
        clock.cancel()
        progress.withLock { line in
            if let text = line?.taken() { StandardError.write(text) }
            line = nil
        }
    }

    private func draw() {
        progress.withLock { line in
            if let text = line?.shown() { StandardError.write(text) }
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
