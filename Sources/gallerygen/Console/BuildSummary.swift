internal import Downloads
internal import Gallery
internal import Manifest
internal import PhotoModel

/// The closing words of a build: what it did, how many photos are in which state, and which are not well.
struct BuildSummary {
    private let report: BuildReport
    private let options: BuildOptions
    private let manifests: [String]
    /// More are counted, not listed.
    private static let longestList = 20

    /// - Parameter manifests: as they were named, for the command that shows a long list.
    init(_ report: BuildReport, options: BuildOptions, manifests: [String]) {
        self.report = report
        self.options = options
        self.manifests = manifests
    }

    func print(to console: Console) {
        console.say(headline(console))
        list(report.failed, word: console.red("failed"), to: console)
        list(report.stale, word: "stale", to: console)
        console.detail(work)
        if !report.changedNothing { console.say("Open \(options.output)/index.html") }
    }

    private func headline(_ console: Console) -> String {
        let total = report.counts.values.reduce(0, +)
        let photos = total == 1 ? "1 photo" : "\(total) photos"
        var states = PhotoState.allCases.compactMap { state in
            report.counts[state].map { "\($0) \(state.rawValue)" }
        }
        if !report.stale.isEmpty { states.append("\(report.stale.count) of them stale") }
        let counts = total == 0 ? photos : "\(photos): \(states.joined(separator: ", "))"
        if report.changedNothing { return "Nothing had to be done. \(counts)." }
        let publication = report.publication
        return "\(counts). \(publication.written.count) files written, \(publication.removed.count) removed."
    }

    /// Failures are told even when quiet: they are what somebody has to look at.
    private func list(_ problems: [BuildReport.Problem], word: String, to console: Console) {
        for problem in problems.prefix(Self.longestList) {
            let name = (problem.album + [problem.name]).joined(separator: " / ")
            console.line(
                "\(name): \(problem.reason.message) [\(problem.reason.code.rawValue)] \(problem.position)",
                marked: "  \(word) ")
        }
        if problems.count > Self.longestList {
            let command = (["gallerygen", "status"] + manifests).joined(separator: " ")
            console.line("  … and \(problems.count - Self.longestList) more; all are shown by: \(command)")
        }
    }

    private var work: String {
        let transfers = report.transfers
        return "\(transfers.transfers) transfers, \(transfers.bytes) bytes, \(transfers.notModified) unchanged; "
            + "\(report.developed) photos developed"
    }
}
