internal import Dispatch
internal import Foundation
internal import Ledger
internal import PhotoModel
internal import Site
internal import Synchronization

/// Publishes a site while it is being built: first its pages as far as they are known, then each photo as it becomes
/// ready. The publication at the end of the build replaces all of this.
///
/// `@unchecked Sendable`: the mutable properties `publisher`, `status`, `files`, `fileChanges` and `failure` are only
/// accessed by work on the serial `queue`, so no two threads use them at once.
final class LivePublication: @unchecked Sendable {
    private let publication: Publication
    private let stop: @Sendable (GalleryError) -> Void
    private let queue = DispatchQueue(label: "gallerygen.live")
    private let waiting = Mutex(Waiting())
    private let interruption = DispatchSemaphore(value: 0)
    private var publisher: Publisher
    /// The last status that was published for open pages.
    private var status: LiveStatus
    private var files: [String: OwnedFile]
    private var fileChanges = FileChanges()
    /// The error of the round that failed. No other round follows, because the disk might then seem to accept what it
    /// refused before.
    private var failure: GalleryError?

    private struct Waiting {
        var records: [PhotoRecord] = []
        /// Whether a round that will take the records is scheduled.
        var isScheduled = false
        var isOver = false
    }

    /// The shortest pause between two rounds, in seconds. Changes within it are published together, so that pages do
    /// not request more than they can show.
    private static let shortestPause = 0.5
    /// The longest pause, in seconds. A round on a busy disk can take seconds, and visitors wait for photos.
    private static let longestPause = 5.0
    /// How long a round takes at most, as a part of the pause after it. A pause is never longer than `longestPause`.
    private static let share = 0.1
    /// The time, in seconds, after which all open pages have seen the end, because they poll every second.
    private static let closingDelay = 2.5

    /// Publishes the pages, with placeholders for the photos that are not ready.
    /// - Parameters:
    ///   - isCancelled: whether the build was cancelled. It is polled before each file, until the first one is moved
    ///     into place.
    ///   - stop: a closure that is called if publishing fails later.
    init(
        _ publication: Publication, isCancelled: () -> Bool, stop: @escaping @Sendable (GalleryError) -> Void
    ) throws(GalleryError) {
        self.publication = publication
        self.stop = stop
        status = LiveStatus(total: publication.records.count, templates: publication.options.templates)
        status.ready = publication.plan.photos.count(where: \.isNothing)
        let output = publication.options.output
        let owned = try publication.session.owned(in: output)
        do {
            publisher = try Publisher(
                output: output, owned: owned, permissions: publication.options.permissions)
            files = publisher.owned
        } catch {
            throw .site(error)
        }
        try begin(isCancelled)
    }

    /// The files of the site in the output folder. Must be read after `end()`.
    var owned: [String: OwnedFile] { queue.sync { files } }

    /// The paths at which `owned` can differ from the ledger. Must be read after `end()`.
    var changed: Set<String> { queue.sync { publisher.changed } }

    /// The names of the photos of the replaced site, if it was not the recorded one. Must be read after `end()`.
    var unrecordedPhotos: [String] { queue.sync { publisher.unrecordedPhotos } }

    /// The changes of files until now, if the build lists them. Must be read after `end()`.
    var changes: FileChanges { queue.sync { fileChanges } }

    /// Publishes a photo that is in the final state of this build.
    func show(_ record: PhotoRecord) {
        let isFirst = waiting.withLock { waiting in
            waiting.records.append(record)
            guard !waiting.isScheduled, !waiting.isOver else { return false }
            waiting.isScheduled = true
            return true
        }
        if isFirst { schedule(after: Self.shortestPause) }
    }

    /// Publishes the remaining photos, and gives open pages the time to see them.
    func end() throws(GalleryError) {
        waiting.withLock { $0.isOver = true }
        let failure = queue.sync { () -> GalleryError? in
            do throws(GalleryError) { try round(end: .done) } catch { return error }
            return nil
        }
        if let failure { throw failure }
        _ = interruption.wait(timeout: .now() + Self.closingDelay)
    }

    /// Ends the wait for open pages, now or as soon as it begins.
    func endWait() { interruption.signal() }

    /// Tells open pages that nothing more will come.
    /// - Parameter failure: the error that ended the build; nil if the user ended it.
    func cancel(after failure: GalleryError?) {
        waiting.withLock { $0.isOver = true }
        queue.sync {
            if failure == nil, self.failure == nil {
                do throws(GalleryError) { return try round(end: .stopped) } catch { stop(error) }
            }
            status.end = .stopped
            // The user gets the earlier error. If this write fails too, open pages just continue to poll.
            try? publisher.abandon(replacing: status.file)
        }
    }

    private func begin(_ isCancelled: () -> Bool) throws(GalleryError) {
        let content = publication.contentBeforeBuild
        do {
            for path in content.picturePaths {
                if isCancelled() { throw GalleryError.interrupted }
                let name = String(path.dropFirst(PublishedImages.folder.count))
                try publisher.publish(picture: path, from: publication.derivatives.path(of: name))
            }
            try publication.derivatives.sync()
            try publisher.publish(status.file)
            let renderer = try SiteRenderer(
                content: content, outline: SiteOutline(content, withLists: true),
                templates: publication.options.templates)
            try renderer.files { file in
                if isCancelled() { throw GalleryError.interrupted }
                try publisher.publish(file)
            }
            try commit()
        } catch {
            throw GalleryError(publishing: error)
        }
    }

    private func schedule(after seconds: Double) {
        queue.asyncAfter(deadline: .now() + seconds) { [self] in
            guard !waiting.withLock(\.isOver) else { return }
            let start = DispatchTime.now()
            do throws(GalleryError) { try round() } catch { return stop(error) }
            let spent = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
            let isScheduledAgain = waiting.withLock { waiting in
                waiting.isScheduled = !waiting.records.isEmpty && !waiting.isOver
                return waiting.isScheduled
            }
            if isScheduledAgain { schedule(after: Self.pause(after: spent)) }
        }
    }

    /// The pause after a round, in seconds.
    /// - Parameter spent: the time that the round took, in seconds.
    static func pause(after spent: Double) -> Double { min(max(shortestPause, spent / share), longestPause) }

    /// Publishes the photos that became ready since the last round, unless that round failed. Runs on `queue`.
    private func round(end: LiveStatus.End? = nil) throws(GalleryError) {
        if let failure { throw failure }
        let records = waiting.withLock { waiting in
            defer { waiting.records = [] }
            return waiting.records
        }
        do {
            status = try publish(records, end)
        } catch {
            let failure = GalleryError(publishing: error)
            self.failure = failure
            throw failure
        }
    }

    /// - Returns: the status that open pages read once it is in place.
    private func publish(_ records: [PhotoRecord], _ end: LiveStatus.End?) throws -> LiveStatus {
        var status = status
        status.end = end
        try publication.derivatives.sync()
        for record in records {
            let photo = publication.photo(record)
            for path in photo.picturePaths {
                let name = String(path.dropFirst(PublishedImages.folder.count))
                try publisher.publish(picture: path, from: publication.derivatives.path(of: name))
            }
            status.add(photo)
        }
        status.ready += records.count
        try publisher.publish(status.file)
        try commit()
        return status
    }

    private func commit() throws {
        // Files without references are removed by the publication at the end, because a page that is open might still
        // show them.
        defer { publication.commitState.end() }
        let result = try publication.commit(&publisher, keeping: Set(files.keys))
        publisher.finishRemoval()
        files = publisher.owned
        if publication.options.listsChanges { fileChanges.add(result) }
    }
}
