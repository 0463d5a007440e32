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

    /// Publishes, and says what was done.
    func run() throws(GalleryError) {
        console.event("publication-started") { $0.add("target", task.address.shown) }
        defer { console.ended() }
        let report = try publishing.run()
        console.event("publication-finished") { event in
            event.add("target", task.address.shown)
            event.add("sent", report.sent.count)
            event.add("removed", report.removed.count)
            event.add("kept", report.kept)
        }
        guard LogFormat.current == .text else { return }
        console.say(report.changedNothing ? "\(task.address.shown) is up to date\(kept(report))." : words(report))
    }

    /// The publication without its messages about the result.
    var publishing: SitePublishing {
        let console = console
        var lockWait = FolderLock.LockWait()
        if task.wait > .zero {
            lockWait = FolderLock.LockWait(
                until: .now + task.wait, began: { console.say("waiting: \($0.message)") }, isCancelled: isCancelled)
        }
        return SitePublishing(
            output: task.output, state: task.state, address: task.address, options: task.options,
            environment: task.environment, home: task.home, holder: task.holder, lockWait: lockWait,
            warn: { console.warn($0) },
            tell: { event in
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

    /// "Published to /srv/www: 3 of pictures and assets, 2 pages, 5 of index and feeds sent, 1 removed, 4 kept …"
    private func words(_ report: PublishReport) -> String {
        let counts = PublishGroup.allCases.map { group in (group, report.sent.count { $0.phase.group == group }) }
        let sent = counts.filter { $0.1 > 0 }.map { group, count in
            switch group {
            case .pictures: "\(count) of pictures and assets"
            case .pages: counted(count, "page")
            case .index: "\(count) of index and feeds"
            }
        }
        return "Published to \(task.address.shown): \(sent.isEmpty ? "nothing" : sent.joined(separator: ", ")) sent, "
            + "\(report.removed.count) removed\(kept(report))."
    }

    private func kept(_ report: PublishReport) -> String {
        report.kept == 0 ? "" : ", \(report.kept) kept for cached pages"
    }
}
