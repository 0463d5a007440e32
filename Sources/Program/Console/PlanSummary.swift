internal import Gallery

/// The text of a plan for people: a line for each piece of work.
struct PlanSummary {
    private let plan: PlanReport

    init(_ plan: PlanReport) { self.plan = plan }

    /// Prints the reason for each piece of work to standard error.
    func explain(to console: Console) {
        for line in plan.lines {
            if LogFormat.current == .text { console.line(Self.reason(line)) }
            console.event("reason", isProblem: true) { event in
                event.add("photo", line.photo)
                event.add("work", line.work)
                event.add("reason", line.reason)
            }
        }
        if let retained { console.line(retained) }
    }

    /// The work that a build would do.
    func text(withReasons: Bool) -> String {
        let lines = plan.lines.map { withReasons ? Self.reason($0) : Self.work($0) }
        let note = withReasons ? retained.map { $0 + "\n" } ?? "" : ""
        guard !lines.isEmpty else { return "Nothing to do.\n" + note }
        // Several reasons can require the same work.
        var seen: Set<String> = []
        return lines.filter { seen.insert($0).inserted || withReasons }.map { TerminalText.text($0) + "\n" }.joined()
            + note
    }

    /// A note such as "site: 3 files of earlier publications stay for cached pages"; nil if there are no such files.
    private var retained: String? {
        let files = plan.retained == 1 ? "file of an earlier publication stays" : "files of earlier publications stay"
        return plan.retained == 0 ? nil : "site: \(plan.retained) \(files) for cached pages"
    }

    /// A reason, such as "Lighthouse: filter sepia(0.8) → sepia(0.6)".
    private static func reason(_ line: PlanReport.Line) -> String {
        line.photo.map { "\($0): \(line.reason)" } ?? line.reason
    }

    /// The work for a photo, such as "Lighthouse: download, filter".
    private static func work(_ line: PlanReport.Line) -> String {
        line.photo.map { "\($0): \(line.work)" } ?? line.work
    }
}
