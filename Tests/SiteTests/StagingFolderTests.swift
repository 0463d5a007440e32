import Dispatch
import Synchronization
import Testing

@testable import Site

@Suite("The temporary folder of new files")
struct StagingFolderTests {
    private let output = OutputFolder()

    @Test("Files that other threads write while the disk is found to be full leave no trace")
    func full() throws {
        for _ in 0..<20 {
            let folder = StagingFolder(root: try SiteRoot(path: output.path))
            let written = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for _ in 0..<200 {
                    // Files are refused once the disk is full, and only the number of the others matters.
                    if (try? folder.write([1], mode: { $0 })) != nil { written.add(1, ordering: .relaxed) }
                    // The thread 0 stands for that of the publication, which closes the folder.
                    if thread == 0, !folder.isFull, written.load(ordering: .relaxed) > 50 {
                        folder.isFull = true
                        folder.close()
                    }
                }
            }
            let count = written.load(ordering: .relaxed)
            #expect(count > 50 && count < 800)
            #expect(try output.contents().isEmpty)
        }
    }
}
