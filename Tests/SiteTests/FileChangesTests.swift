import Testing

@testable import Site

@Suite struct FileChangesTests {
    @Test("The changes of several publications add up to what has become of each file")
    func sum() {
        var changes = FileChanges()
        changes.add(result(written: ["new", "status", "page"], replaced: ["page"]))
        changes.add(result(written: ["new", "page"], replaced: ["new", "page"], removed: ["status", "old", "back"]))
        changes.add(result(written: ["back"]))
        #expect(changes.added == ["new"])
        #expect(changes.changed == ["page", "back"])
        #expect(changes.removed == ["old"])
    }

    @Test("A file that is replaced and then removed is removed")
    func removal() {
        var changes = FileChanges()
        changes.add(result(written: ["page"], replaced: ["page"]))
        changes.add(result(removed: ["page"]))
        #expect(changes.added.isEmpty && changes.changed.isEmpty && changes.removed == ["page"])
    }

    private func result(
        written: [String] = [], replaced: Set<String> = [], removed: [String] = []
    ) -> PublishResult {
        PublishResult(written: written, replaced: replaced, removed: removed, retained: 0, removalFailures: [])
    }
}
