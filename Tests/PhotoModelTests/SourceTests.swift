import PhotoModel
import Testing

/// Values that are stored in the ledger and in status.json.
@Suite struct SourceTests {
    @Test("The key of a source distinguishes files from addresses, and does not depend on the shown address")
    func keys() {
        let file = Source(location: .file("/srv/a.jpg"), shown: "a.jpg")
        let remote = Source(location: .remote("http://me:pw@example.org/a.jpg?x"), shown: "http://example.org/a.jpg")
        #expect(file.key == "file:/srv/a.jpg")
        #expect(!file.isRemote)
        #expect(remote.key == "http://me:pw@example.org/a.jpg?x")
        #expect(remote.isRemote)
        #expect(file.key == Source(location: .file("/srv/a.jpg"), shown: "x").key)
    }

    @Test("The states have the names of status.json")
    func states() {
        #expect(PhotoState.allCases.map(\.rawValue) == ["new", "downloaded", "filtered", "failed"])
    }
}
