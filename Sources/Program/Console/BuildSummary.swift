internal import Downloads
internal import Gallery
internal import Manifest
internal import PhotoModel

/// The summary at the end of a build: the work that was done, the number of photos in each state, and the photos that
/// need attention.
struct BuildSummary {
    private let report: BuildReport
    private let options: BuildOptions
    private let statusCommand: String?
    /// The largest number of photos that are listed. The others are only counted.
    private static let longestList = 20

    /// - Parameter statusCommand: the command that shows all photos of a long list; nil if there is none.
    init(_ report: BuildReport, options: BuildOptions, statusCommand: String?) {
        self.report = report
        self.options = options
        self.statusCommand = statusCommand
    }

    /// Prints the summary as text. `BuildReport.log` writes it as an event.
    func print(to console: Console) {
        guard LogFormat.current == .text else { return }
        console.info(headline(console))
        list(report.failed, word: console.red("failed"), to: console)
        list(report.stale, word: "stale", to: console)
        console.detail(work)
        if !report.changedNothing { console.info("Open \(options.output)/index.html") }
    }

    private func headline(_ console: Console) -> String {
        let total = report.counts.values.reduce(0, +)
        let photos = counted(total, "photo")
        var states = PhotoState.allCases.compactMap { state in
            report.counts[state].map { "\($0) \(state.rawValue)" }
        }
        if !report.stale.isEmpty { states.append("\(report.stale.count) of them stale") }
        let counts = total == 0 ? photos : "\(photos): \(states.joined(separator: ", "))"
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

    /// Lists failed or stale photos. They need attention, so the list is printed even with --quiet.
    private func list(_ problems: [BuildReport.Problem], word: String, to console: Console) {
        for problem in problems.prefix(Self.longestList) {
            let name = (problem.album + [problem.name]).joined(separator: " / ")
            console.line(
                "\(name): \(problem.reason.message) [\(problem.reason.code.rawValue)] \(problem.position)",
                marked: "  \(word) ")
        }
        if problems.count > Self.longestList {
            let more = problems.count - Self.longestList
            let rest = statusCommand.map { "show all with: \($0)" } ?? "see \(options.output)/status.json for all"
            console.line("  … and \(more) more; \(rest)")
        }
    }

    private var work: String {
        let transfers = report.transfers
        return
            "\(counted(transfers.transfers, "transfer")), \(counted(transfers.bytes, "byte")), "
            + "\(transfers.notModified) unchanged; \(counted(report.rendered, "photo")) rendered"
    }
}
