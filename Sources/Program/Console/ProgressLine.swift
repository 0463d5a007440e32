/// The one line that shows how far a long build is: done, total, rate, time left. Only for terminals.
struct ProgressLine {
    private var total = 0
    private var done = 0
    private var start = ContinuousClock.now
    private var isShown = false

    mutating func begin(total: Int) {
        self.total = total
        done = 0
        start = .now
    }

    mutating func countOne() { done += 1 }

    /// The line as it is now, in the place of the last one.
    mutating func shown() -> String {
        isShown = true
        return "\r\u{1B}[K\(done)/\(total) photos\(pace)"
    }

    /// What takes the line away before another text is written.
    mutating func taken() -> String {
        defer { isShown = false }
        return isShown ? "\r\u{1B}[K" : ""
    }

    /// Rate and time left, once there is one photo to judge by.
    private var pace: String {
        guard done > 0 else { return "" }
        let seconds = max(0.001, Double((.now - start) / .milliseconds(1)) / 1000)
        let rate = Double(done) / seconds
        let left = Int((Double(total - done) / rate).rounded(.up))
        let shownRate = rate >= 10 ? "\(Int(rate))" : "\((rate * 10).rounded() / 10)"
        return ", \(shownRate)/s, \(left < 60 ? "\(left) s" : "\(left / 60) min \(left % 60) s") left"
    }
}
