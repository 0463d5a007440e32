/// A caller's handle on a fetch, with which the caller can stop waiting.
package struct FetchHandle: Sendable {
    /// The caller's subscription; nil if the outcome was known at once.
    private let subscription: RequestCoalescer.Subscription?
    private let fetches: RequestCoalescer
    private let transfers: TransferThread

    init(_ subscription: RequestCoalescer.Subscription?, in fetches: RequestCoalescer, _ transfers: TransferThread) {
        self.subscription = subscription
        self.fetches = fetches
        self.transfers = transfers
    }

    /// The time that the transfers of the fetch have taken so far, without the waits between them.
    package var transferTime: Duration { subscription.map { fetches.transferTime(of: $0.fetch) } ?? .zero }

    /// Answers `.cancelled` to the caller, unless it has been answered. The fetch itself ends only when all its callers
    /// have cancelled.
    package func cancel() {
        if let subscription, fetches.cancel(subscription) { transfers.dropUnwanted() }
    }
}
