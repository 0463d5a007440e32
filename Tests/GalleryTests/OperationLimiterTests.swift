import Foundation
import Gallery
import TestSupport
import Testing

@Suite("Places for so many photos at once", .timeLimit(.minutes(1))) struct OperationLimiterTests {
    @Test("are taken without waiting while there are any, and then again when a batch of them is free")
    func batches() async {
        let window = OperationLimiter(places: 4, batch: 3)
        let taken = Observed(0)
        Thread {
            for _ in 0..<7 {
                window.take()
                taken.update { $0 += 1 }
            }
        }.start()
        await taken.wait { $0 == 4 }
        while !window.isWaitedFor, !Task.isCancelled { await Task.yield() }
        window.giveBack()
        window.giveBack()
        #expect(window.isWaitedFor && taken.value == 4)
        window.giveBack()
        await taken.wait { $0 == 7 }
        #expect(taken.value == 7 && !window.isWaitedFor)
    }

    @Test("none is lost and none is there twice, whichever thread gives it back")
    func threads() async {
        let window = OperationLimiter(places: 5, batch: 2)
        let (held, most, returned) = (Observed(0), Observed(0), Observed(0))
        let given = DispatchSemaphore(value: 0)
        Thread {
            for _ in 0..<3_000 {
                window.take()
                let now = held.update { held in
                    held += 1
                    return held
                }
                most.update { $0 = max($0, now) }
                given.signal()
            }
        }.start()
        for _ in 0..<3 {
            Thread {
                for _ in 0..<1_000 {
                    given.wait()
                    held.update { $0 -= 1 }
                    window.giveBack()
                    returned.update { $0 += 1 }
                }
            }.start()
        }
        await returned.wait { $0 == 3_000 }
        #expect(returned.value == 3_000 && most.value <= 5)
    }
}
