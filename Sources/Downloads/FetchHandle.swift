/// Cancels one caller's wait for a fetch.
package struct FetchHandle: Sendable {
    /// Nil where the answer was known at once.
    private let subscription: RequestCoalescer.Subscription?
    private let fetches: RequestCoalescer
    private let transfers: TransferThread

    init(_ subscription: RequestCoalescer.Subscription?, in fetches: RequestCoalescer, _ transfers: TransferThread) {
        self.subscription = subscription
        self.fetches = fetches
        self.transfers = transfers
    }

    /// How long the fetch's transfers took so far, without waiting between them.
    package var transferTime: Duration { subscription.map { fetches.transferTime(of: $0.fetch) } ?? .zero }

    /// Answers `.cancelled` to the one who asked, unless the answer was given. The fetch itself ends only when all who
    /// wait for it have cancelled.
    package func cancel() {
        if let subscription, fetches.cancel(subscription) { transfers.dropUnwanted() }
    }
}
