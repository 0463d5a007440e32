/// The one line that shows how far a long build is: done, total, rate, time left. Only for terminals.
struct ProgressLine {
    private var total = 0
    private var done = 0
    private var start = ContinuousClock.now
    private var lastShown = ContinuousClock.now
    private var isShown = false

    mutating func begin(total: Int) {
        self.total = total
        done = 0
        start = .now
        lastShown = .now
    }

    /// Counts one photo.
    /// - Returns: what to write; nil while the last line is too fresh to be replaced.
    mutating func advance() -> String? {
        done += 1
        let now = ContinuousClock.now
        guard now - lastShown >= .milliseconds(100), done < total else { return nil }
        lastShown = now
        isShown = true
        let seconds = max(0.001, Double((now - start) / .milliseconds(1)) / 1000)
        let rate = Double(done) / seconds
        let left = Int((Double(total - done) / rate).rounded(.up))
        let shownRate = rate >= 10 ? "\(Int(rate))" : "\((rate * 10).rounded() / 10)"
        return "\r\u{1B}[K\(done)/\(total) photos, \(shownRate)/s, \(Self.duration(left)) left"
    }

    /// What takes the line away before another text is written.
    var erasure: String { isShown ? "\r\u{1B}[K" : "" }

    mutating func end() -> String {
        defer { isShown = false }
        return erasure
    }

    private static func duration(_ seconds: Int) -> String {
        seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }
}
