/// The right to give up one's wait for a fetch.
package struct FetchTicket: Sendable {
    /// Nil where the answer was known at once.
    private let place: FetchTable.Place?
    private let fetches: FetchTable
    private let transfers: TransferThread

    init(_ place: FetchTable.Place?, in fetches: FetchTable, _ transfers: TransferThread) {
        self.place = place
        self.fetches = fetches
        self.transfers = transfers
    }

    /// Answers `.cancelled` to the one who asked, unless the answer was given. The fetch itself ends only when all who
    /// wait for it have cancelled.
    package func cancel() {
        if let place, fetches.leave(place) { transfers.dropUnwanted() }
    }
}
