import Testing

@testable import Preview

/// The messages that wait for a page.
@Suite("The queue of a page") struct PageQueueTests {
    @Test("A page that does not read is given up")
    func full() async {
        let queue = PageQueue(limit: 3)
        #expect((1...3).allSatisfy { queue.add("\($0)") })
        #expect(!queue.add("4"))
        #expect(!queue.add("5"))
        queue.end()
        var count = 0
        for await _ in queue.messages { count += 1 }
        #expect(count == 3)
    }

    @Test("A page that reads gets any number of messages")
    func reading() {
        let queue = PageQueue(limit: 3)
        for number in 1...10 {
            #expect(queue.add("\(number)"))
            queue.sent()
        }
    }
}
