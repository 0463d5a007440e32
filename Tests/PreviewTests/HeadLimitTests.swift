import Testing

@testable import Preview

/// The length of a request's head.
@Suite("The limit of a head") struct HeadLimitTests {
    private let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

    /// Whether the limit allows each of these parts of a connection, in their order.
    private func allowed(by limit: Int, _ parts: [some Collection<UInt8>]) -> [Bool] {
        var limit = HeadLimit(limit)
        return parts.map { limit.allows($0) }
    }

    @Test("A head may be as long as the limit, wherever it is split", arguments: 1...28)
    func split(size: Int) {
        let parts = stride(from: 0, to: request.count, by: size).map {
            request[$0..<min($0 + size, request.count)]
        }
        #expect(allowed(by: request.count, parts).allSatisfy { $0 })
    }

    @Test("A head that is one byte longer than the limit is refused at this byte")
    func excess() {
        #expect(allowed(by: request.count - 1, [request.dropLast(), request.suffix(1)]) == [true, false])
    }

    @Test("The head of the next request on a connection is measured again")
    func next() {
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: request.count + 1)
        #expect(allowed(by: request.count, [request, request, request, long]) == [true, true, true, false])
    }

    @Test("Lines may end without a carriage return, as FlyingFox reads them")
    func lineFeeds() {
        let head = Array("a\nb: c\n\n".utf8)
        #expect(allowed(by: 8, [head, head, head]) == [true, true, true])
    }

    @Test("Many short lines count as one head")
    func shortLines() {
        #expect(allowed(by: 100, [Array(String(repeating: "a: b\r\n", count: 17).utf8)]) == [false])
    }
}
