internal import Gallery
internal import PhotoModel

/// The line that shows the progress of a long build on a terminal: photos done, total, rate, time left, and slow work.
struct ProgressLine {
    private var total = 0
    /// The singular of what is counted.
    private var noun = "photo"
    /// The number of photos that need no work. They count as done from the start, but not for the rate.
    private var unchanged = 0
    private var worked = 0
    private var start = ContinuousClock.now
    private var isShown = false
    /// Whether there is anything to show: between the beginning and the end of some work.
    private var isActive = false
    private var slowest: @Sendable () -> SlowWork? = { nil }
    /// The time after which work is called slow.
    private static let slow = Duration.seconds(2)

    mutating func begin(
        total: Int, of noun: String = "photo", unchanged: Int, slowest: @escaping @Sendable () -> SlowWork?
    ) {
        isActive = true
        self.noun = noun
        self.slowest = slowest
        self.total = total
        self.unchanged = unchanged
        worked = 0
        start = .now
    }

    mutating func countOne() { worked += 1 }

    mutating func end() { isActive = false }

    /// The current line, after the characters that erase the previous one; empty if no work is done.
    mutating func redraw() -> String {
        guard isActive else { return "" }
        isShown = true
        // A terminal would wrap a line as wide as itself, and only the last row of it could be erased.
        let width = StandardError.columns.map { $0 - 1 } ?? .max
        return "\r\u{1B}[K" + TextWidth.shortened(text(after: .now - start) + Self.text(slowest()), to: width)
    }

    /// A text such as ", waiting for example.org for 12 s"; empty if nothing is slow.
    static func text(_ work: SlowWork?) -> String {
        guard let work, work.time >= slow else { return "" }
        let seconds = Int(work.time / .seconds(1))
        return switch work {
        case .transfer(let host, _): ", waiting for \(TerminalText.text(host)) for \(seconds) s"
        case .filter(let photo, _): ", filtering \(TerminalText.text(photo)) for \(seconds) s"
        }
    }

    /// - Parameter elapsed: the time since the start of the build.
    func text(after elapsed: Duration) -> String { "\(unchanged + worked)/\(counted(total, noun))\(pace(elapsed))" }

    /// The characters that erase the line before other text is written.
    mutating func erase() -> String {
        defer { isShown = false }
        return isShown ? "\r\u{1B}[K" : ""
    }

    /// The rate and the time left; empty until a photo is finished.
    private func pace(_ elapsed: Duration) -> String {
        guard worked > 0 else { return "" }
        let seconds = max(0.001, Double(elapsed / .milliseconds(1)) / 1000)
        let rate = Double(worked) / seconds
        let left = Int((Double(total - unchanged - worked) / rate).rounded(.up))
        let shownRate = rate >= 10 ? "\(Int(rate))" : "\((rate * 10).rounded() / 10)"
        return ", \(shownRate)/s, \(left < 60 ? "\(left) s" : "\(left / 60) min \(left % 60) s") left"
    }
}
