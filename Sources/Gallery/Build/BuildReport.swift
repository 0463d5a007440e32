internal import Dispatch
package import Downloads
internal import Ledger
package import Manifest
package import PhotoModel
internal import Synchronization

/// The result of a build, for the closing summary.
package struct BuildReport: Sendable {
    /// A photo that needs attention.
    package struct Problem: Sendable {
        package let name: String
        package let album: [String]
        package let position: TextPosition
        package let reason: Reason
        /// Whether the photo was not in this condition, with this reason code, before the build, or came into it after
        /// the site was last published, in a build that did not finish.
        package let isNew: Bool
    }

    /// A photo with a mark.
    package struct MarkedPhoto: Sendable {
        package let name: String
        package let album: [String]
        package let position: TextPosition
        package let mark: PhotoMark
        /// Whether the photo did not have the mark before the build, or had it since another time or for another
        /// picture, or got it after the site was last published, in a build that did not finish.
        package let isNew: Bool
    }

    package let counts: [PhotoState: Int]
    /// The photos that failed, in the order of the list.
    package let failed: [Problem]
    package let stale: [Problem]
    /// The photos with marks, in the order of the list; a photo with several marks appears several times.
    package let marked: [MarkedPhoto]
    /// The number of photos whose derivatives were rendered.
    package let rendered: Int
    package let transfers: TransferStatistics
    package let publication: PublicationResult
    /// The title of the site.
    package internal(set) var title = ""
    /// The photos that have changed, in the order of the list, and then those that have left it. They are collected
    /// only if `BuildOptions.listsChanges` says so.
    package internal(set) var changes: [PhotoChange] = []
    /// The paths of the photos that are local files, whether these exist or not.
    package let files: Set<String>
    /// Whether any photo comes from a URL.
    package let hasRemotePhotos: Bool
    /// The time at which the next photo becomes frozen unless its bytes change, or at which a frozen one is requested
    /// again, in seconds since 1970; nil if none will.
    package let nextCheckForChange: Int64?
    /// The work on a shard; nil for a build that publishes a site.
    package internal(set) var shard: ShardWork?

    /// The work of a worker on its shard.
    package struct ShardWork: Sendable {
        package let shard: Shard
        /// The address of the store.
        package let store: String
        /// The number of photos that were left to do.
        package let worked: Int
    }

    /// The number of photos with each mark.
    package var markCounts: [(MarkCode, Int)] {
        MarkCode.allCases.map { code in (code, marked.count { $0.mark.code == code }) }
    }

    /// Whether any picture may be out of date: it is stale, frozen or suspicious.
    package var isOutOfDate: Bool {
        !stale.isEmpty || marked.contains { [.frozen, .suspicious].contains($0.mark.code) }
    }

    /// Whether the site is exactly what it was before.
    package var changedNothing: Bool {
        publication.written.isEmpty && publication.removed.isEmpty && publication.repaired == 0
    }

    /// Whether the build did nothing except revalidate photos.
    package var didNothing: Bool { changedNothing && rendered == 0 }

    /// Makes the report of a build without work.
    /// - Parameters:
    ///   - lastPublished: the time of the site's last change before the build; nil if nothing was published in the
    ///     output folder. Times are in seconds since 1970.
    ///   - now: the time of the build.
    init(unchanged records: [PhotoRecord], lastPublished: Int64?, now: Int64) {
        for record in records { record.markUnchanged(wasRequested: false) }
        self.init(
            records: records, rendered: 0, transfers: TransferStatistics(), publication: PublicationResult(),
            lastPublished: lastPublished, now: now)
    }

    /// - Parameters:
    ///   - lastPublished: the time of the site's last change before the build; nil if nothing was published in the
    ///     output folder. Times are in seconds since 1970.
    ///   - now: the time of the build.
    init(
        records: [PhotoRecord], rendered: Int, transfers: TransferStatistics, publication: PublicationResult,
        lastPublished: Int64?, now: Int64
    ) {
        let middle = records.count / 2
        let parts = [records[..<middle], records[middle...]]
        let found = Mutex([Findings](repeating: Findings(), count: parts.count))
        // Little else is left to do in the build, so both halves of the list are read at the same time.
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            var findings = Findings()
            for record in parts[number] { findings.add(record, lastPublished: lastPublished, now: now) }
            found.withLock { [findings] in $0[number] = findings }
        }
        let findings = found.withLock { $0[0].joined($0[1]) }
        counts = findings.counts
        failed = findings.failed
        stale = findings.stale
        marked = findings.marked
        files = findings.files
        hasRemotePhotos = findings.hasRemotePhotos
        nextCheckForChange = findings.nextCheckForChange
        self.rendered = rendered
        self.transfers = transfers
        self.publication = publication
    }

    /// The photos of a part of the list, counted and sorted for the report, whose properties these are.
    private struct Findings: Sendable {
        var counts: [PhotoState: Int] = [:]
        var failed: [Problem] = []
        var stale: [Problem] = []
        var marked: [MarkedPhoto] = []
        var files: Set<String> = []
        var hasRemotePhotos = false
        var nextCheckForChange: Int64?

        mutating func add(_ record: PhotoRecord, lastPublished: Int64?, now: Int64) {
            // A change of any photo is a change of the site, so the site shows all that came before its last change. A
            // time in the future says that the clock was set back, and nothing else.
            func isPublished(_ time: Int64) -> Bool { lastPublished.map { time <= $0 || time > now } ?? false }
            for source in record.sources {
                switch source.location {
                case .file(let path): files.insert(path)
                case .remote: hasRemotePhotos = true
                }
            }
            let photo = record.photo
            let row = record.row(now: now)
            counts[row.state, default: 0] += 1
            // A time that has passed is that of a frozen photo whose server asked for a pause.
            if let time = record.nextCheckForChange(row), time > now { noteCheckForChange(time) }
            guard row.reason != nil || row.stale != nil || !row.marks.isEmpty else { return }
            let change = record.change(now: now)
            func problem(_ reason: Reason, since: Int64, before: Reason?) -> Problem {
                // A failure gets a new time with another sentence of the same code too, such as another status.
                let isNew = change == nil ? !isPublished(since) : before?.code != reason.code
                return Problem(
                    name: photo.name, album: photo.album, position: photo.position, reason: reason, isNew: isNew)
            }
            func isNew(_ mark: PhotoMark) -> Bool {
                guard let change else { return !isPublished(mark.began.seconds) }
                // Other values of the sentence, such as another expected change, are no news.
                let known = change.old?.marks[mark.code]
                return known?.since != mark.since || known?.withheld != mark.withheld
            }
            if let reason = row.reason {
                failed.append(problem(reason, since: row.since, before: change?.old?.reason))
            } else if let mark = row.stale {
                stale.append(problem(mark.reason, since: mark.since, before: change?.old?.staleReason))
            }
            for mark in row.marks {
                marked.append(
                    MarkedPhoto(
                        name: photo.name, album: photo.album, position: photo.position, mark: mark,
                        isNew: isNew(mark)))
            }
        }

        /// - Parameter next: the findings of the part that follows.
        func joined(_ next: Findings) -> Findings {
            var both = self
            both.counts.merge(next.counts, uniquingKeysWith: +)
            both.failed += next.failed
            both.stale += next.stale
            both.marked += next.marked
            both.files.formUnion(next.files)
            both.hasRemotePhotos = hasRemotePhotos || next.hasRemotePhotos
            if let time = next.nextCheckForChange { both.noteCheckForChange(time) }
            return both
        }

        private mutating func noteCheckForChange(_ time: Int64) {
            nextCheckForChange = min(nextCheckForChange ?? time, time)
        }
    }
}
