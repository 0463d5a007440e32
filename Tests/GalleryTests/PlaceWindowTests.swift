import Foundation
import Gallery
import TestSupport
import Testing

@Suite("Places for so many photos at once", .timeLimit(.minutes(1))) struct PlaceWindowTests {
    @Test("are taken without waiting while there are any, and then again when a batch of them is free")
    func batches() async {
        let window = PlaceWindow(places: 4, batch: 3)
        let taken = Observed(0)
        Thread {
            for _ in 0..<7 {
                window.take()
                taken.update { $0 += 1 }
            }
        }.start()
        await taken.wait { $0 == 4 }
        while !window.isWaitedFor { await Task.yield() }
        window.giveBack()
        window.giveBack()
        #expect(window.isWaitedFor && taken.value == 4)
        window.giveBack()
        await taken.wait { $0 == 7 }
        #expect(!window.isWaitedFor)
    }

    @Test("none is lost, whichever thread gives it back")
    func threads() {
        let window = PlaceWindow(places: 5, batch: 2)
        let held = Observed(0)
        let most = Observed(0)
        let ended = DispatchGroup()
        for _ in 0..<10_000 {
            window.take()
            let now = held.update { held in
                held += 1
                return held
            }
            most.update { $0 = max($0, now) }
            DispatchQueue.global().async(group: ended) {
                held.update { $0 -= 1 }
                window.giveBack()
            }
        }
        ended.wait()
        #expect(most.value == 5)
    }
}
