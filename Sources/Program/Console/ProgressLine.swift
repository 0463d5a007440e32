/// The one line that shows how far a long build is: done, total, rate, time left. Only for terminals.
struct ProgressLine {
    private var total = 0
    /// Photos that need no work: they are done from the start, and tell nothing of how fast the others are.
    private var kept = 0
    private var worked = 0
    private var start = ContinuousClock.now
    private var isShown = false

    mutating func begin(total: Int, kept: Int) {
        self.total = total
        self.kept = kept
        worked = 0
        start = .now
    }

    mutating func countOne() { worked += 1 }

    /// The line as it is now, in the place of the last one.
    mutating func shown() -> String {
        isShown = true
        return "\r\u{1B}[K" + text(after: .now - start)
    }

    /// - Parameter elapsed: since the build began.
    func text(after elapsed: Duration) -> String { "\(kept + worked)/\(total) photos\(pace(elapsed))" }

    /// The characters that erase the line before other text is written.
    mutating func taken() -> String {
        defer { isShown = false }
        return isShown ? "\r\u{1B}[K" : ""
    }

    /// Rate and time left, once there is one photo to judge by.
    private func pace(_ elapsed: Duration) -> String {
        guard worked > 0 else { return "" }
        let seconds = max(0.001, Double(elapsed / .milliseconds(1)) / 1000)
        let rate = Double(worked) / seconds
        let left = Int((Double(total - kept - worked) / rate).rounded(.up))
        let shownRate = rate >= 10 ? "\(Int(rate))" : "\((rate * 10).rounded() / 10)"
        return ", \(shownRate)/s, \(left < 60 ? "\(left) s" : "\(left / 60) min \(left % 60) s") left"
    }
}
