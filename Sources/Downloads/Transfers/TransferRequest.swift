/// One address to be asked, for all who wait for it.
struct TransferRequest: Sendable {
    let id: FetchID
    let address: RemoteAddress
    let known: KnownOriginal?
    let terms: FetchTerms
    /// How many tries have failed.
    var failures = 0
    /// A try was not counted, because the whole process stood still meanwhile. Once is enough: it ends for certain.
    var wasBegunAgain = false
}
