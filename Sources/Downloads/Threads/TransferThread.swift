internal import Foundation
internal import PhotoModel
internal import Synchronization

/// The thread that drives libcurl, and the interface that other threads use.
final class TransferThread: Sendable {
    private let mailbox: TransferMailbox
    private let thread: JoinableThread
    private let watch = TransferWatchdog()
    private let storing: GroupCommitQueue

    /// The number of connections that are kept open for each transfer that may run: enough for hosts that alternate.
    private static let connectionsKept = 4

    init(
        limits: TransferLimits, client: ClientProfile, clock: BuildClock, jitter: @escaping Backoff.Jitter,
        store: OriginalStore, fetches: RequestCoalescer, tally: TransferTally
    ) throws(DownloadsError) {
        let multi = try MultiHandle(
            keeping: max(1, limits.total * Self.connectionsKept, limits.requests * 2),
            perHost: client.proxies.isEmpty ? limits.connections : limits.connectionsOverHTTP1)
        let mailbox = TransferMailbox(waking: multi)
        self.mailbox = mailbox
        let storing = GroupCommitQueue(into: store, answering: fetches) { mailbox.send(.storingEnded($0)) }
        self.storing = storing
        try watch.start()
        do {
            thread = try JoinableThread(name: "downloads") { [watch] in
                TransferLoop(
                    multi: multi, mailbox: mailbox, limits: limits, client: client, clock: clock,
                    schedule: TransferSchedule(limits: limits, jitter: jitter), store: store, fetches: fetches,
                    tally: tally, storing: storing, watch: watch
                ).run()
            }
        } catch {
            watch.end()
            throw error
        }
    }

    func start(_ request: TransferRequest) { mailbox.send(.start(request)) }

    func dropUnwanted() { mailbox.send(.dropUnwanted) }

    func suspend() { mailbox.suspend() }

    func resume() { mailbox.resume() }

    /// Ends all transfers, and returns when the thread has ended and its temporary files are gone.
    func stop() {
        mailbox.stop()
        watch.beginStopping()
        thread.join()
        watch.end()
        storing.waitUntilIdle()
    }
}
