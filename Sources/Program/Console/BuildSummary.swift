internal import Downloads
internal import Gallery
internal import Manifest
internal import PhotoModel

/// The summary at the end of a build: the work that was done, the number of photos in each state, and the photos that
/// need attention.
struct BuildSummary {
    private let report: BuildReport
    private let options: BuildOptions
    private let listed: ListedProblems
    private let statusCommand: String?
    /// The largest number of photos that are listed. The others are only counted.
    private static let longestList = 20

    /// A line of the summary.
    private struct Line {
        enum Need {
            /// The line is not needed to understand the outcome.
            case detail
            case normal
            /// The line needs attention, so it is printed even with --quiet.
            case problem
        }

        let need: Need
        /// A word before the text.
        var label = ""
        var isRed = false
        let text: String
    }

    /// - Parameter statusCommand: the command that shows all photos of a long list; nil if there is none.
    init(_ report: BuildReport, options: BuildOptions, listing listed: ListedProblems, statusCommand: String?) {
        self.report = report
        self.options = options
        self.listed = listed
        self.statusCommand = statusCommand
    }

    /// Prints the summary as text. `BuildReport.log` writes it as an event.
    func print(to console: Console) {
        guard LogFormat.current == .text else { return }
        for line in lines {
            switch line.need {
            case .detail: console.detail(line.text)
            case .normal: console.info(line.text)
            case .problem:
                let label = line.isRed ? console.red(line.label) : line.label
                console.line(line.text, marked: line.label.isEmpty ? "" : "  \(label) ")
            }
        }
    }

    /// The whole summary, for notifications.
    var text: String {
        lines.map { line in (line.label.isEmpty ? "" : "  \(line.label) ") + line.text + "\n" }.joined()
    }

    private var lines: [Line] {
        var lines = [Line(need: .normal, text: headline)]
        lines += list(report.failed.filter { isListed($0.isNew) }, word: "failed", isRed: true)
        lines += list(report.stale.filter { isListed($0.isNew) }, word: "stale", isRed: false)
        for code in MarkCode.allCases {
            let photos = report.marked.filter { $0.mark.code == code && isListed($0.isNew) }
            lines += list(photos, code)
            guard code == .suspicious, !photos.isEmpty else { continue }
            let hint = "look at their sources; build --accept NAME takes the new picture, --accept '*' takes all"
            lines.append(Line(need: .problem, text: "  " + hint))
        }
        let isNew = (report.failed + report.stale).map(\.isNew) + report.marked.map(\.isNew)
        let omitted = isNew.count { !isListed($0) }
        if omitted > 0 {
            lines.append(Line(need: .normal, text: "  \(counted(omitted, "known problem")) not listed; \(showAll)"))
        }
        lines.append(Line(need: .detail, text: work))
        if !report.changedNothing, report.shard == nil {
            lines.append(Line(need: .normal, text: "Open \(options.output)/index.html"))
        }
        return lines
    }

    /// The number of photos in each state, such as "3 photos: 2 filtered, 1 failed".
    static func counts(_ report: BuildReport) -> String {
        let total = report.counts.values.reduce(0, +)
        let photos = counted(total, "photo")
        var states = PhotoState.allCases.compactMap { state in
            report.counts[state].map { "\($0) \(state.rawValue)" }
        }
        let marks = report.markCounts.map { ($0.rawValue, $1) }
        for (word, count) in [("stale", report.stale.count)] + marks where count > 0 {
            states.append("\(count) of them \(word)")
        }
        return total == 0 ? photos : "\(photos): \(states.joined(separator: ", "))"
    }

    private var headline: String {
        let counts = Self.counts(report)
        if let work = report.shard {
            let left = work.worked == 0 ? "nothing was left to do" : "\(work.worked) done now"
            return "Shard \(work.shard) is complete in \(work.store). \(counts); \(left)."
        }
        if report.changedNothing {
            let isIdle = report.didNothing && !options.isForced
            let work = isIdle ? "Nothing to do" : "Everything was redone; the site has not changed"
            return "\(work). \(counts)."
        }
        let publication = report.publication
        let repaired = options.permissions.flatMap { permissions in
            publication.repaired == 0 ? nil : ", \(publication.repaired) set to mode \(permissions)"
        }
        return "\(counts). \(counted(publication.written.count, "file")) written, \(publication.removed.count) removed"
            + "\(publication.retained == 0 ? "" : ", \(publication.retained) kept for cached pages")\(repaired ?? "")."
    }

    /// The list of failed or stale photos.
    private func list(_ problems: [BuildReport.Problem], word: String, isRed: Bool) -> [Line] {
        var lines = problems.prefix(Self.longestList).map { problem in
            let name = (problem.album + [problem.name]).joined(separator: " / ")
            return Line(
                need: .problem, label: word, isRed: isRed,
                text: "\(name): \(problem.reason.message) [\(problem.reason.code.rawValue)] \(problem.position)")
        }
        lines += rest(of: problems.count)
        return lines
    }

    /// The list of photos with a mark.
    private func list(_ photos: [BuildReport.MarkedPhoto], _ code: MarkCode) -> [Line] {
        let lines = photos.prefix(Self.longestList).map { photo in
            let name = (photo.album + [photo.name]).joined(separator: " / ")
            return Line(
                need: .problem, label: code.rawValue,
                text: "\(name): since \(photo.mark.since): \(photo.mark.message) \(photo.position)")
        }
        return lines + rest(of: photos.count)
    }

    /// The line that counts the photos that are not listed; empty if all are.
    private func rest(of count: Int) -> [Line] {
        guard count > Self.longestList else { return [] }
        return [Line(need: .problem, text: "  … and \(count - Self.longestList) more; \(showAll)")]
    }

    /// Where all photos can be seen.
    private var showAll: String {
        statusCommand.map { "show all with: \($0)" } ?? "see \(options.output)/status.json for all"
    }

    private func isListed(_ isNew: Bool) -> Bool { listed == .all || isNew }

    private var work: String {
        let transfers = report.transfers
        return
            "\(counted(transfers.transfers, "transfer")), \(counted(transfers.bytes, "byte")), "
            + "\(transfers.notModified) unchanged; \(counted(report.rendered, "photo")) rendered"
    }
}
