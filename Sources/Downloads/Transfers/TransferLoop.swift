internal import CLibCurl
internal import PhotoModel

/// Runs all transfers on one thread: starts them as the limits allow, lets libcurl work, and delivers their outcomes.
final class TransferLoop {
    private let multi: MultiHandle
    private let mailbox: TransferMailbox
    private let limits: TransferLimits
    private let client: ClientProfile
    private let clock: BuildClock
    private let store: OriginalStore
    private let partials: PartialFolder
    private let fetches: RequestCoalescer
    private let tally: TransferTally
    private let storing: GroupCommitQueue
    private let watch: TransferWatchdog

    private var schedule: TransferSchedule
    /// The limit on the rate of all transfers; nil if there is none.
    private let budget: ByteBudget?
    private var running: [UnsafeMutableRawPointer: EasyHandle] = [:]
    /// The transfer that has been running longest, as `publishOldest` last found it.
    private var oldest: Transfer?
    private var beingStored = 0
    /// Whether an original was confirmed over HTTP/1.1, where each request needs a connection of its own.
    private var hasConfirmedOverHTTP1 = false
    private var suspensions = SuspensionDetector(now: .now, cpuTime: .zero)
    /// When the oldest outcome that has not been delivered was found; nil if there is none.
    private var oldestUndelivered: SuspendingClock.Instant?
    /// When deadlines and undelivered outcomes were last looked at.
    private var lastCheck = SuspendingClock.now

    /// The most originals that wait to be stored, each with an open descriptor. No more transfers start while the disk
    /// can't keep up.
    private static let maxBeingStored = 32
    /// The longest wait for an event. Every event wakes the loop, but a longer wait could hide a suspension of the
    /// process.
    private static let longestPoll = Duration.seconds(1)
    private static let longestBatch = Duration.milliseconds(2)

    init(
        multi: MultiHandle, mailbox: TransferMailbox, limits: TransferLimits, client: ClientProfile, clock: BuildClock,
        schedule: TransferSchedule, store: OriginalStore, fetches: RequestCoalescer, tally: TransferTally,
        storing: GroupCommitQueue, watch: TransferWatchdog
    ) {
        self.multi = multi
        self.mailbox = mailbox
        self.limits = limits
        self.client = client
        self.clock = clock
        self.schedule = schedule
        budget = limits.bytesPerSecond.map { ByteBudget(rate: $0, now: .now) }
        self.store = store
        partials = PartialFolder(in: store, now: clock.now)
        self.fetches = fetches
        self.tally = tally
        self.storing = storing
        self.watch = watch
    }

    /// Runs until the mailbox says to stop, or until libcurl fails.
    func run() {
        defer { cleanUp() }
        do {
            watch.endWaiting()
            while true {
                let mail = mailbox.collect()
                for command in mail.commands { try handle(command) }
                if mail.isStopping { break }
                schedule.admit(now: .now)
                if !mail.isSuspended { try startReadyTransfers() }
                try resumePaused()
                // Other transfers start as soon as some have ended. If they waited until no more end, all requests on
                // an HTTP/2 connection would be sent together, and it would be idle until their answers come.
                let hasEnded = try step()
                // Over HTTP/1.1, that gains nothing. Each call of libcurl looks at all transfers, so fewer calls are
                // needed if all that have been answered by now end first. HTTP/2 hosts of the same build wait too.
                if hasEnded, hasConfirmedOverHTTP1 { while try step() {} }
                if !hasEnded {
                    try waitForActivity()
                } else if SuspendingClock.now - lastCheck >= Self.longestBatch {
                    // Transfers can go on ending without a moment to wait. Deadlines and outcomes do not wait for one.
                    _ = try handleDeadlines()
                }
            }
            try dropTransfers { _ in true }
        } catch {
            fetches.close(answering: .storeFailed(error))
        }
    }

    /// Frees the handles. Easy handles must be freed before the multi handle, and the mailbox must be closed before
    /// either, because it wakes the multi handle.
    private func cleanUp() {
        mailbox.close()
        fetches.deliverOutcomes()
        running = [:]
        multi.close()
    }

    private func handle(_ command: TransferMailbox.Command) throws(DownloadsError) {
        switch command {
        case .start(let request): schedule.append(request)
        case .dropUnwanted: try dropTransfers { !fetches.isWanted($0.request.fetch) }
        case .storingEnded(let count): beingStored -= count
        }
    }

    private func startReadyTransfers() throws(DownloadsError) {
        while beingStored < Self.maxBeingStored, let action = schedule.next(now: .now) {
            guard case .start(let request) = action else {
                if case .refuse(let request, let outcome) = action { answer(request, outcome) }
                continue
            }
            guard fetches.isWanted(request.fetch) else {
                schedule.ended(request, isDownload: request.isDownload)
                continue
            }
            // libcurl calls this within `multi.perform()`, when nothing else accesses `schedule`.
            let transfer = Transfer(
                request, store: store, partials: partials, limits: limits, proxies: client.proxies,
                beginDownload: { [unowned self] in schedule.beginDownload(request) })
            let handle = try EasyHandle(transfer, limits: limits, client: client, watch: watch, budget: budget)
            try multi.add(handle)
            running[handle.raw] = handle
        }
    }

    /// Continues the transfers that wait for the budget, as far as it allows.
    private func resumePaused() throws(DownloadsError) {
        guard let budget else { return }
        // In the order in which they paused, so that all transfers progress.
        let paused = running.values.compactMap { handle in handle.pausedSince.map { (since: $0, handle: handle) } }
        for (_, handle) in paused.sorted(by: { $0.since < $1.since }) {
            guard !budget.isOverdrawn(now: .now) else { return }
            // Waiting for the budget is not the server's fault.
            handle.transfer.noteActivity()
            if let code = handle.resume() { try end(handle, handle.report(code)) }
        }
    }

    /// Lets libcurl work once, and handles the transfers that have ended.
    ///
    /// - Returns: true if transfers ended, so that others can start before the loop waits.
    private func step() throws(DownloadsError) -> Bool {
        watch.recordProgress()
        try multi.perform()
        compensateForSuspension()
        var hasEnded = false
        while let (raw, code) = multi.nextEnded() {
            guard let handle = running[raw] else { continue }
            try end(handle, handle.report(code))
            hasEnded = true
        }
        return hasEnded
    }

    /// Waits until there is something to do.
    private func waitForActivity() throws(DownloadsError) {
        let wait = try handleDeadlines()
        watch.beginWaiting()
        try multi.poll(wait)
        watch.endWaiting()
        compensateForSuspension(after: wait)
    }

    /// Ends the transfers that have stalled or run out of time, and delivers the outcomes that have waited long enough.
    ///
    /// - Returns: the time until something else is due, at most `longestPoll`.
    private func handleDeadlines() throws(DownloadsError) -> Duration {
        let now = compensateForSuspension()
        lastCheck = now
        var wait = Self.longestPoll
        publishOldest()
        var isAnyPaused = false
        for handle in running.values {
            if handle.isPaused {
                handle.transfer.noteActivity()
                isAnyPaused = true
            }
            let (deadline, reason) = handle.transfer.deadline(now: now)
            if deadline > now {
                wait = min(wait, now.duration(to: deadline))
            } else {
                handle.transfer.expire(reason)
                try end(handle, handle.report(CURLE_OPERATION_TIMEDOUT))
                wait = .zero
            }
        }
        if let budget, isAnyPaused {
            wait = min(wait, budget.timeUntilBalanced(now: now))
        }
        if let moment = schedule.nextAdmission { wait = min(wait, max(now.duration(to: moment), .zero)) }
        // Waking the thread that calls the completions costs a good part of a small transfer's time. So outcomes are
        // delivered in batches. In a busy loop, an outcome waits for up to twice `longestBatch`.
        if let oldest = oldestUndelivered, running.isEmpty || now - oldest >= Self.longestBatch {
            fetches.deliverOutcomes()
            oldestUndelivered = nil
        } else if oldestUndelivered != nil {
            wait = min(wait, Self.longestBatch)
        }
        return wait
    }

    /// Tells other threads which transfer has been running longest.
    private func publishOldest() {
        let transfer = running.values.lazy.map(\.transfer).min { $0.began < $1.began }
        guard transfer !== oldest else { return }
        oldest = transfer
        tally.setOldest(transfer.map { RunningTransfer(host: $0.request.target.host, began: $0.began) })
    }

    /// Extends the deadlines of the transfers by the time for which the process was suspended.
    ///
    /// - Parameter wait: the time that was spent waiting on purpose since the last call, at most.
    /// - Returns: the current time.
    @discardableResult
    private func compensateForSuspension(after wait: Duration = .zero) -> SuspendingClock.Instant {
        let now = SuspendingClock.now
        if let lapse = suspensions.suspension(after: wait, now: now, cpuTime: JoinableThread.cpuTime) {
            for handle in running.values { handle.transfer.extendDeadlines(by: lapse) }
        }
        return now
    }

    private func dropTransfers(where isUnwanted: (Transfer) -> Bool) throws(DownloadsError) {
        for handle in running.values {
            guard isUnwanted(handle.transfer) else { continue }
            try release(handle)
            handle.transfer.savePartial()
        }
    }

    private func end(_ handle: EasyHandle, _ report: TransferReport) throws(DownloadsError) {
        let transfer = handle.transfer
        let outcome = TransferOutcome(transfer, report, now: clock.now)
        fetches.add(transfer.began.duration(to: .now), to: transfer.request.fetch)
        try release(handle)
        tally.add { statistics in
            switch outcome {
            case .redirect, .needsDownload: break
            default: statistics.transfers += 1
            }
            statistics.connections += report.connections
            statistics.bytes += transfer.receivedBytes
            switch outcome {
            case .unchanged: statistics.notModified += 1
            case .refused where transfer.headers.status == 304: statistics.notModified += 1
            default: break
            }
        }
        let hostFailure = transfer.hostFailure(outcome)
        if transfer.wasAnswered { schedule.answered(transfer.request, isRejection: hostFailure == .rejected) }
        if transfer.headers.status == 304, transfer.headers.isComplete {
            schedule.confirmed(
                transfer.request, in: report.responseTime, isMultiplexed: report.isMultiplexed,
                opensConnection: report.connections > 0, began: transfer.began)
            if !report.isMultiplexed, !hasConfirmedOverHTTP1 {
                hasConfirmedOverHTTP1 = true
                try multi.limitConnections(perHost: limits.connectionsOverHTTP1)
            }
        }
        switch outcome {
        case .needsDownload: schedule.appendDownload(transfer.request)
        case .unchanged(let known):
            transfer.discardPartial()
            answer(transfer.request, .unchanged(known))
        case .refused(let refused):
            transfer.discardPartial()
            answer(transfer.request, .refused(refused))
        case .redirect(let target):
            let redirects = transfer.redirectChain(to: target, cookies: handle.cookies)
            schedule.appendRedirected(transfer.request.following(redirects))
        case .failed(let failure):
            if failure.isTransient { transfer.savePartial() } else { transfer.discardPartial() }
            retry(transfer, failure, hostFailure)
        case .startOver:
            transfer.discardPartial()
            schedule.append(transfer.request.restarted)
        case .otherVersion:
            var again = transfer.request.restarted
            again.isUnconditional = true
            schedule.append(again)
        case .retryWithoutDecoding:
            transfer.discardPartial()
            var again = transfer.request.restarted
            again.skipsContentDecoding = true
            schedule.append(again)
        case .broken(let error): answer(transfer.request, .storeFailed(error))
        case .arrived(let metadata): store(transfer, metadata)
        }
    }

    private func retry(_ transfer: Transfer, _ failure: Failure, _ hostFailure: HostFailure?) {
        let request = transfer.request
        if transfer.processWasSuspended, failure.mayResultFromSuspension, !request.wasRestartedAfterSuspension {
            var again = request.restarted
            again.wasRestartedAfterSuspension = true
            return schedule.append(again)
        }
        let answeredAt = clock.now
        let wait = failure.isTransient ? transfer.headers.retryAfter : nil
        let failed = FailedAttempt(
            failure: failure, hostFailure: hostFailure, began: transfer.connectionStarted,
            retryAfter: wait.flatMap { RetryAfter.seconds(in: $0, now: answeredAt) }, answeredAt: answeredAt,
            isServing: hostFailure != nil && isServing(request.target.hostAndPort))
        if schedule.retry(request, after: failed, now: .now) {
            tally.add { $0.retries += 1 }
        } else if let wait = failed.retryAfterDate {
            answer(request, .postponed(wait))
        } else {
            answer(request, .failed(failure))
        }
    }

    /// Whether the host is currently sending a photo.
    private func isServing(_ host: String) -> Bool {
        running.values.lazy.map(\.transfer)
            .contains { $0.isBeingServed && $0.request.target.hostAndPort == host }
    }

    private func answer(_ request: TransferRequest, _ outcome: FetchOutcome) {
        fetches.finish(request.fetch, with: outcome, delivering: false)
        oldestUndelivered = oldestUndelivered ?? .now
    }

    /// Gives up the handle. libcurl keeps its connection if that can be reused.
    private func release(_ handle: EasyHandle) throws(DownloadsError) {
        try multi.remove(handle)
        running[handle.raw] = nil
        schedule.ended(handle.transfer.request, isDownload: handle.transfer.isDownload)
    }

    private func store(_ transfer: Transfer, _ metadata: CacheMetadata) {
        let request = transfer.request
        transfer.discardPartial()
        do {
            guard let written = try transfer.finishWriting() else {
                return answer(request, .failed(.notAnImage(.empty)))
            }
            let outcome = FetchOutcome.stored(
                CachedOriginal(
                    original: written.original, metadata: metadata, location: request.location, moved: request.moved,
                    contentType: request.options.reportsContentType ? transfer.contentType : nil))
            if store.contains(written.original) { return answer(request, outcome) }
            beingStored += 1
            storing.submit(.init(written: written, fetch: request.fetch, outcome: outcome))
        } catch {
            answer(request, .storeFailed(error))
        }
    }
}
