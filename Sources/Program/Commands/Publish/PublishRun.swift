internal import Gallery
internal import PhotoModel
internal import Publish

/// One publication with its messages: for `publish`, and for `build --publish`.
struct PublishRun {
    private let task: PublishTask
    private let console: Console
    private let isCancelled: @Sendable () -> Bool

    init(_ task: PublishTask, console: Console, isCancelled: @escaping @Sendable () -> Bool) {
        self.task = task
        self.console = console
        self.isCancelled = isCancelled
    }

    /// Publishes, and says what was done if there was no problem.
    func run() throws(GalleryError) -> PublishReport {
        console.event("publication-started") { $0.add("target", task.address.shown) }
        defer { console.ended() }
        let report = try publishing.run()
        guard report.problem == nil else { return report }
        console.event("publication-finished") { event in
            event.add("target", task.address.shown)
            event.add("sent", report.sent.count)
            event.add("removed", report.removed.count)
            event.add("kept", report.retained)
        }
        if LogFormat.current == .text {
            console.info(
                report.changedNothing ? "\(task.address.shown) is up to date\(retained(report))." : message(report))
        }
        return report
    }

    /// The publication without its messages about the result.
    var publishing: SitePublishing {
        let console = console
        var lockWait = FolderLock.LockWait()
        if task.wait > .zero {
            lockWait = FolderLock.LockWait(
                until: .now + task.wait, began: { console.info("waiting: \($0.waitMessage)") },
                isCancelled: isCancelled)
        }
        return SitePublishing(
            output: task.output, state: task.state, address: task.address, options: task.options,
            environment: task.environment, homes: task.homes, holder: task.holder, lockWait: lockWait,
            warn: { console.warn($0) },
            emit: { event in
                switch event {
                case .began(let count): console.began(total: count, of: "file")
                case .sent(let path):
                    console.finishedOne()
                    console.detail("sent \(path)")
                case .removed(let path):
                    console.finishedOne()
                    console.detail("removed \(path)")
                }
            }, isCancelled: isCancelled)
    }

    /// "Published to /srv/www: sent 3 pictures and assets, 2 pages and 4 index and feed files; removed nothing."
    private func message(_ report: PublishReport) -> String {
        let counts = PublishGroup.allCases.map { group in (group, report.sent.count { $0.phase.group == group }) }
        let sent = counts.filter { $0.1 > 0 }.map { group, count in
            switch group {
            case .pictures: count == 1 ? "1 picture or asset" : "\(count) pictures and assets"
            case .pages: counted(count, "page")
            case .index: count == 1 ? "1 index or feed file" : "\(count) index and feed files"
            }
        }
        let list = [sent.dropLast().joined(separator: ", "), sent.last ?? "nothing"].filter { !$0.isEmpty }
        let removed = report.removed.isEmpty ? "nothing" : counted(report.removed.count, "file")
        return "Published to \(task.address.shown): sent \(list.joined(separator: " and ")); "
            + "removed \(removed)\(retained(report))\(corrected(report))."
    }

    private func corrected(_ report: PublishReport) -> String {
        report.corrected == 0 ? "" : "; permissions corrected: \(report.corrected)"
    }

    private func retained(_ report: PublishReport) -> String {
        report.retained == 0 ? "" : "; kept \(counted(report.retained, "file")) for cached pages"
    }
}
