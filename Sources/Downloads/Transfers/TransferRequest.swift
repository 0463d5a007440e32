/// One address to be asked, for all who wait for it. Copies share what stays the same.
struct TransferRequest: Sendable {
    private final class Subject: Sendable {
        let fetch: Fetch
        let address: RemoteAddress
        let known: KnownOriginal?
        let terms: FetchTerms

        init(fetch: Fetch, address: RemoteAddress, known: KnownOriginal?, terms: FetchTerms) {
            self.fetch = fetch
            self.address = address
            self.known = known
            self.terms = terms
        }
    }

    private let subject: Subject
    /// How many tries have failed.
    var failures = 0
    /// A try was not counted, because the whole process stood still meanwhile. Once is enough: it ends for certain.
    var wasBegunAgain = false

    init(_ fetch: Fetch, of address: RemoteAddress, known: KnownOriginal?, terms: FetchTerms) {
        subject = Subject(fetch: fetch, address: address, known: known, terms: terms)
    }

    var fetch: Fetch { subject.fetch }
    var address: RemoteAddress { subject.address }
    var known: KnownOriginal? { subject.known }
    var terms: FetchTerms { subject.terms }
}
