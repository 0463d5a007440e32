internal import Dispatch
internal import Downloads
package import Imaging
internal import Ledger
internal import PhotoModel
internal import Site
internal import Synchronization

/// A preview of a gallery: its pages, rendered when they are asked for, and the work for its photos, what is on the
/// screen first. The output folder is never written, and builds of the same gallery can run at any time.
///
/// `@unchecked Sendable`: the mutable properties are only accessed by work on the serial `queue`, or are behind a lock.
package final class PreviewSession: @unchecked Sendable {
    private let lock: FolderLock
    private let ledger: Ledger
    private let start: Int64
    private let emit: @Sendable (PreviewEvent) -> Void
    private let isCancelled: @Sendable () -> Bool
    /// The values that can be read at any time, also while `queue` waits for a list with a URL.
    private let known: Mutex<Known>
    private let queue = DispatchQueue(label: "gallerygen.preview", qos: .userInitiated)
    private let pages: PreviewPages

    /// The settings as they were read last.
    private var options: BuildOptions
    /// The filter chain that is tried; nil for that of the settings.
    private var triedFilter: FilterChain?
    /// The chain that a page has saved, until the change of the settings is seen.
    private var savedFilter: FilterChain?
    private var gallery: PreviewGallery
    private var schedule: PreviewSchedule
    /// The part of the gallery that each open page shows.
    private var views: [Int: View] = [:]
    private var pairs: [Int: PhotoOperationPair] = [:]
    /// Whether the gallery has ended and no other one could begin.
    private var mustBegin = false
    private var isOver = false
    /// When the progress was reported last, and whether a report follows.
    private var reported = DispatchTime(uptimeNanoseconds: 0)
    private var willReport = false
    /// The time before which no photo begins that is on no screen.
    private var restTime = DispatchTime(uptimeNanoseconds: 0)

    private struct Known {
        let files: Set<String>
        let filters: (shown: FilterChain, saved: FilterChain)
        let progress: (ready: Int, total: Int)

        init(_ gallery: PreviewGallery, _ options: BuildOptions, _ schedule: PreviewSchedule) {
            files = gallery.files
            filters = (gallery.options.derivatives.filter, options.derivatives.filter)
            progress = (schedule.ready, schedule.total)
        }
    }

    private struct View {
        var isScrolling = false
        var slugs: [String] = []
        /// The time of the page's last message that it is being scrolled.
        var scrolled = DispatchTime(uptimeNanoseconds: 0)
    }

    /// Reads the gallery. Nothing is requested, except manifests with a URL.
    /// - Parameters:
    ///   - token: the token that stands in the pages.
    ///   - wait: how long to wait for a build that removes what an ended preview has left.
    ///   - isCancelled: whether the preview is to end. It is polled while a list with a URL is read.
    ///   - emit: receives events, which can come before this initializer returns.
    /// - Throws: `GalleryError.locked` if another preview of the gallery is running; otherwise the errors of a build.
    package init(
        _ options: BuildOptions, token: String, wait: Duration = .seconds(2),
        isCancelled: @escaping @Sendable () -> Bool, emit: @escaping @Sendable (PreviewEvent) -> Void
    ) throws(GalleryError) {
        try options.checkManifestsAndFolders()
        let state = options.state.preview
        try options.state.create()
        try state.create()
        let lockWait = FolderLock.LockWait(until: .now + wait, began: { _ in }, isCancelled: isCancelled)
        lock = try FolderLock(path: state.lock, holder: options.lockHolder, lockWait: lockWait)
        // Such a build has removed the folders as well.
        try state.create()
        DerivativeCache.removeTemporaryFiles(in: state.derivatives)
        let warn: @Sendable (String) -> Void = { emit(.warning($0)) }
        let opening = LedgerOpening(state: state, identity: options.identity, output: options.output, warn: warn)
        ledger = try opening.openForPreview()
        start = options.now.seconds
        self.emit = emit
        self.isCancelled = isCancelled
        self.options = options
        let list = try PreviewList(options, after: nil, ledger: ledger, isCancelled: isCancelled, warn: warn)
        gallery = try PreviewGallery(options, list, ledger: ledger, start: start, warn: warn)
        pages = PreviewPages(gallery, token: token)
        schedule = PreviewSchedule(missing: gallery.isMissing, limit: options.limits.total)
        known = Mutex(Known(gallery, options, schedule))
        watchFailures()
        for remark in gallery.remarks { emit(.remark(remark)) }
    }

    // MARK: Pages

    /// The bytes of a page or of another file that is rendered.
    /// - Parameter path: a path relative to the site, not percent-encoded.
    /// - Returns: nil if the gallery has no such file.
    package func file(at path: String) throws(GalleryError) -> [UInt8]? {
        do {
            return try pages.file(at: path)?.bytes
        } catch {
            throw .site(error)
        }
    }

    /// The path of a derivative on the disk.
    /// - Parameter path: a path relative to the site: "images/0123456789abcdef-400.jpg".
    /// - Returns: nil if there is no such derivative.
    package func picture(at path: String) -> String? {
        guard path.hasPrefix(PublishedImages.folder), SitePath.isNamedByContent(path) else { return nil }
        return pages.picture(String(path.dropFirst(PublishedImages.folder.count)))
    }

    /// The local files that the list names.
    package var files: Set<String> { known.withLock { $0.files } }

    /// The filter chain that is shown, and that of the settings.
    package var filters: (shown: FilterChain, saved: FilterChain) { known.withLock { $0.filters } }

    /// The number of changes of the pages until now, counted from 1. The pages have it as well.
    package var revision: Int { pages.revision }

    /// The cards and records, as JSON, of the photos that have changed since a page was rendered.
    /// - Parameter count: the number of changes of photos that the page has.
    /// - Returns: nil if there are so many that the page is to be loaded again.
    package func photos(since count: Int) -> [(card: [UInt8], record: [UInt8])]? {
        pages.updates(since: count)?.map { ($0.card, $0.record) }
    }

    package var progress: (ready: Int, total: Int) { known.withLock { $0.progress } }

    /// Makes the current state known outside of `queue`.
    private func updateKnown() {
        let now = Known(gallery, options, schedule)
        known.withLock { $0 = now }
    }

    // MARK: Screens of open pages

    /// The time without a message after which a page no longer counts as being scrolled. Pages repeat the message each
    /// second. A page that stands at a breakpoint does not, and would otherwise hold up the others.
    private static let longestScroll = DispatchTimeInterval.seconds(2)

    /// A page is being scrolled, so nothing new begins.
    /// - Parameter page: a number that no other open page has.
    package func scroll(_ page: Int) {
        queue.async { [self] in
            let now = DispatchTime.now()
            views[page, default: View()].isScrolling = true
            views[page]?.scrolled = now
            schedule.scroll(page)
            queue.asyncAfter(deadline: now + Self.longestScroll) { [weak self] in self?.endScrolling(page, since: now) }
        }
    }

    /// A page shows these photos now.
    /// - Parameter slugs: the photos, nearest to the middle of the screen first.
    package func show(_ slugs: [String], on page: Int) {
        queue.async { [self] in
            views[page] = View(slugs: slugs)
            apply(View(slugs: slugs), of: page)
            updateKnown()
            work()
        }
    }

    private func endScrolling(_ page: Int, since time: DispatchTime) {
        guard let view = views[page], view.isScrolling, view.scrolled == time else { return }
        views[page]?.isScrolling = false
        schedule.endScrolling(page)
        work()
    }

    /// A page was closed.
    package func close(_ page: Int) {
        queue.async { [self] in
            views[page] = nil
            schedule.close(page)
            work()
        }
    }

    private func apply(_ view: View, of page: Int) {
        let indices = view.slugs.compactMap { gallery.indicesBySlug[$0] }
        // A build that ran in the meantime can have removed pictures.
        for index in indices where gallery.hasLostPictures(index) { schedule.lose(index) }
        schedule.show(indices, on: page)
        if view.isScrolling { schedule.scroll(page) }
    }

    // MARK: Changes

    /// Takes over new settings and whatever has changed in the list and its files.
    /// - Returns: the parts of open pages that differ now.
    /// - Throws: the error of a list that can't be used. The preview stays as it was.
    package func reload(_ options: BuildOptions) throws(GalleryError) -> PreviewChange {
        try synchronously { () throws(GalleryError) in
            let filter = options.derivatives.filter
            if filter != self.options.derivatives.filter {
                let shown = gallery.options.derivatives.filter
                triedFilter = filter == savedFilter && shown != filter ? shown : nil
                savedFilter = nil
            }
            let next = tried(options)
            let reading = try PreviewGallery.Reading(options, files: gallery.files)
            let isSameWork = next.worksLike(gallery.options) && reading == gallery.reading
            let hasSameList = next.worksLike(gallery.options) && reading.manifests == gallery.reading.manifests
            let change = next.pageChange(since: self.options, sameList: hasSameList)
            if isSameWork, !mustBegin {
                pages.show(gallery, next, isChange: !change.isEmpty)
                // The filter that was tried might be the saved one now.
                schedule.isLimitedToScreens = triedFilter != nil
                work()
            } else {
                try begin(next, isChange: !change.isEmpty)
            }
            self.options = options
            updateKnown()
            return change
        }
    }

    /// Requests the manifests with a URL again if a page is open, and takes them over if they have changed.
    /// - Returns: the parts of open pages that differ now, and whether each manifest has arrived or was confirmed.
    /// - Throws: the error of a list that can't be used. The preview stays as it was.
    package func reloadRemoteManifests() throws(GalleryError) -> (change: PreviewChange, isConfirmed: Bool) {
        let gallery = queue.sync { views.isEmpty && !mustBegin ? nil : self.gallery }
        guard let gallery else { return ([], false) }
        // The queue stays free while the manifests arrive.
        let (list, isConfirmed) = try gallery.list.requestedAgain(
            gallery.options, ledger: ledger, isCancelled: isCancelled)
        return try synchronously { () throws(GalleryError) in
            // In the meantime, the settings can have named other manifests.
            guard options.manifests == gallery.options.manifests else { return ([], false) }
            guard list != nil || mustBegin else { return ([], isConfirmed) }
            try begin(tried(options), list, isChange: true)
            return (.pages, isConfirmed)
        }
    }

    /// Expects a change of the settings to this chain. It does not end the try of a chain that follows at once.
    /// - Parameter filter: nil if no change follows after all.
    package func expectFilter(_ filter: FilterChain?) { queue.sync { savedFilter = filter } }

    /// Shows the gallery with another filter chain, without changing the settings.
    /// - Throws: the errors of a build.
    package func tryFilter(_ filter: FilterChain) throws(GalleryError) {
        try synchronously { () throws(GalleryError) in
            let known = triedFilter
            triedFilter = filter == options.derivatives.filter ? nil : filter
            do throws(GalleryError) {
                try begin(tried(options), isChange: true)
            } catch {
                triedFilter = known
                throw error
            }
        }
    }

    private func tried(_ options: BuildOptions) -> BuildOptions {
        var options = options
        if let triedFilter { options.derivatives.filter = triedFilter }
        return options
    }

    private func synchronously<Value>(_ work: () throws(GalleryError) -> Value) throws(GalleryError) -> Value {
        let result = queue.sync { () -> Result<Value, GalleryError> in
            do throws(GalleryError) { return .success(try work()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Replaces the gallery. The work of the old one ends, and what it has stored is found by the new one.
    /// - Parameter list: the list; nil if it is to be read. Manifests with a URL are requested only if they are new.
    private func begin(
        _ options: BuildOptions, _ list: PreviewList? = nil, isChange: Bool
    ) throws(GalleryError) {
        let warn: @Sendable (String) -> Void = { [emit] in emit(.warning($0)) }
        // A list that can't be used ends nothing.
        let list =
            if let list { list } else {
                try PreviewList(
                    options, after: gallery.list, ledger: ledger, isCancelled: isCancelled, warn: warn)
            }
        gallery.end()
        pairs = [:]
        mustBegin = true
        gallery = try PreviewGallery(options, list, ledger: ledger, start: start, warn: warn)
        mustBegin = false
        pages.show(gallery, options, isChange: isChange)
        schedule = PreviewSchedule(missing: gallery.isMissing, limit: options.limits.total)
        schedule.isLimitedToScreens = triedFilter != nil
        watchFailures()
        for remark in gallery.remarks { emit(.remark(remark)) }
        for (page, view) in views { apply(view, of: page) }
        updateKnown()
        work()
        reportNow()
    }

    // MARK: Work

    /// The pause between the last photo of a screen and the first one of the rest. Browsers show the screen in this
    /// time, and pages whose layout has changed report which photos are on the screen now.
    private static let pauseBeforeRest = DispatchTimeInterval.milliseconds(300)

    /// Begins and cancels what the schedule says.
    private func work() {
        guard !isOver, !mustBegin, gallery.failure == nil else { return }
        let steps = schedule.next(includesRest: .now() >= restTime)
        for index in steps.cancelled { pairs[index]?.cancelUnlessFiltering() }
        for index in steps.begun {
            let gallery = gallery
            do throws(GalleryError) {
                pairs[index] = try gallery.begin(index) { [self] isDone in
                    queue.async { [self] in ended(index, in: gallery, isDone: isDone) }
                }
            } catch {
                schedule.end(index, isDone: false)
                return emit(.failed(error))
            }
        }
    }

    private func ended(_ index: Int, in ended: PreviewGallery, isDone: Bool) {
        // The photo belongs to a gallery that was replaced.
        guard ended === gallery else { return }
        pairs[index] = nil
        schedule.end(index, isDone: isDone)
        if isDone {
            if schedule.isOnScreen(index) {
                restTime = .now() + Self.pauseBeforeRest
                queue.asyncAfter(deadline: restTime) { [weak self] in self?.work() }
            }
            pages.changed(index)
            let update = pages.update(index)
            emit(.photo(card: update.card, record: update.record))
        }
        // The next photos begin before the report, which takes time in proportion to the list.
        work()
        if isDone { report() }
    }

    /// The shortest time between two reports. Each takes time to make and to show, in proportion to the list.
    private static let reportInterval = DispatchTimeInterval.seconds(1)

    /// Reports the progress now, unless it was just reported; then a little later.
    private func report() {
        updateKnown()
        guard !willReport else { return }
        let next = reported + Self.reportInterval
        guard next > .now() else { return reportNow() }
        willReport = true
        queue.asyncAfter(deadline: next) { [weak self] in
            // The gallery may have begun anew, and reported that, in the meantime.
            if let self, willReport { reportNow() }
        }
    }

    private func reportNow() {
        willReport = false
        guard !isOver else { return }
        let attention = views.isEmpty ? nil : pages.attention()
        emit(.progress(ready: schedule.ready, total: schedule.total, attention: attention))
        reported = .now()
    }

    private func watchFailures() {
        gallery.whenStopped { [weak self, weak gallery, emit] in
            guard let failure = gallery?.failure, self != nil else { return }
            emit(.failed(failure))
        }
    }

    /// Ends all work. What was fetched and rendered is kept for the next preview or build.
    package func end() {
        queue.sync {
            guard !isOver else { return }
            isOver = true
            gallery.end()
            ledger.close()
        }
    }
}

extension PhotoOperationPair {
    /// Cancels the operations, unless the filter has begun: its result is kept either way, and would be lost work.
    fileprivate func cancelUnlessFiltering() { if !filter.hasStarted { cancel() } }
}
