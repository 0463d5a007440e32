/// Makes a list from JSON: from any objects that have an address each.
struct JSONImporter {
    let base: SourceBase

    /// - Parameter lines: the numbers of the lines on which the values begin.
    func list(of values: [JSONValue], lines: [Int]) -> ImportedList {
        var walk = JSONWalk(base: base)
        for (value, line) in zip(values, lines) {
            values.count == 1 ? walk.readDocument(value) : walk.readLine(value, line: line)
        }
        return ImportedList(photos: walk.found.photos, warnings: walk.found.warnings)
    }
}
