/// Makes a list from JSON: from any objects that have an address each.
struct JSONImporter {
    let base: SourceBase

    func list(of values: [JSONValue]) -> ImportedList {
        var walk = JSONWalk(base: base)
        for value in values { values.count == 1 ? walk.readDocument(value) : walk.readLine(value) }
        return ImportedList(photos: walk.found.photos, warnings: walk.found.warnings)
    }
}
