import Foundation
import Gallery
import Ledger
import Testing

@Suite("Failures of the state folder")
struct StorageFailureTests {
    let folder = NSTemporaryDirectory()

    @Test("A full disk is reported with its free space, whichever call failed")
    func fullDisk() throws {
        let written = StorageFailure.system(errno: ENOSPC).message(at: folder)
        let recorded = StorageFailure(detail: "database or disk is full", isDiskFull: .yes).message(at: folder)
        for message in [written, recorded] {
            #expect(message.contains(#/^No space left on device; \d+ bytes are free$/#))
        }
    }

    @Test("The free space of a missing folder is that of its nearest parent that exists")
    func missingFolder() {
        let message = StorageFailure.system(errno: ENOSPC).message(at: folder + "/none/none/ledger.sqlite")
        #expect(message.hasSuffix(" bytes are free"))
    }

    @Test("An SQLite error that may mean a full disk is checked against the free space")
    func perhapsFull() {
        let message = StorageFailure(detail: "disk I/O error", isDiskFull: .possibly).message(at: folder)
        #expect(message.hasPrefix("disk I/O error; check that the disk has free space and the folder is writable; "))
    }

    @Test(
        "A failure that more space would not help is reported without the free space",
        arguments: [
            StorageFailure.system(errno: EACCES, action: "it can't be removed"), .other("No space left on device"),
        ])
    func otherFailures(_ failure: StorageFailure) {
        #expect(!failure.message(at: folder).contains("bytes are free"))
    }

    @Test("An error of Foundation is reported with the system's error code")
    func foundationError() {
        let error = #expect(throws: CocoaError.self) {
            try FileManager.default.createDirectory(atPath: "/proc/none/none", withIntermediateDirectories: true)
        }
        let failure = error.map { StorageFailure($0, action: "the folder can't be created") }
        #expect(failure?.message(at: "/proc/none").hasPrefix("the folder can't be created: No such file") == true)
    }
}
