/// Finds out which entries of a list are which entries of its source. Users move and rename entries of their list, and
/// publishers those of the source, so an entry is recognised by its address wherever it is. The place decides only
/// between entries that share an address.
///
/// The record of the last import is between both: it has the entries of the source where they were imported, so an
/// entry that is in the record but not in the list was removed by the user.
struct EntryMatching {
    private let source: [EntryIdentity]
    private let record: [EntryIdentity]
    private let list: [EntryIdentity]

    /// For each entry of the source: the entry of the record that it is.
    private var recordOfSource: [Int?]
    /// For each entry of the source that the record does not have: the entry of the list that it is.
    private var listOfSource: [Int?]
    private var sourceOfRecord: [Int?]
    private var listOfRecord: [Int?]
    private var recordOfList: [Int?]
    private var sourceOfList: [Int?]

    /// The part of two entries that has to be equal for them to be the same. Later cases ask for less.
    private enum Likeness: CaseIterable {
        case place, album, address
    }

    private struct Key: Hashable {
        let address: String
        let album: String?
        let name: String?

        init(_ entry: EntryIdentity, _ likeness: Likeness) {
            address = entry.address
            album = likeness == .address ? nil : entry.place.album
            name = likeness == .place ? entry.place.name : nil
        }
    }

    /// The entries that are most alike are paired first.
    init(source: [EntryIdentity], record: [EntryIdentity], list: [EntryIdentity]) {
        self.source = source
        self.record = record
        self.list = list
        recordOfSource = Array(repeating: nil, count: source.count)
        listOfSource = recordOfSource
        sourceOfRecord = Array(repeating: nil, count: record.count)
        listOfRecord = sourceOfRecord
        recordOfList = Array(repeating: nil, count: list.count)
        sourceOfList = recordOfList
        let recorded = Set(record.map(\.address))
        for likeness in Likeness.allCases {
            let known = Self.pairs(
                source.indices.filter { isNew($0) }, of: source,
                record.indices.filter { sourceOfRecord[$0] == nil }, of: record, likeness)
            for (index, other) in known { (recordOfSource[index], sourceOfRecord[other]) = (other, index) }

            // If the user has removed one of several entries with an address, those that the source still has are taken
            // first.
            for isInSource in [true, false] {
                let imported = Self.pairs(
                    list.indices.filter { isOwn($0) }, of: list,
                    record.indices.filter { listOfRecord[$0] == nil && (sourceOfRecord[$0] != nil) == isInSource },
                    of: record, likeness)
                for (index, other) in imported { (recordOfList[index], listOfRecord[other]) = (other, index) }
            }

            // The user may have added what the source adds now. If the source had the address before, an entry in
            // another album is a copy that the user made, and says nothing about the new one.
            let own = Self.pairs(
                source.indices.filter { isNew($0) && (likeness != .address || !recorded.contains(source[$0].address)) },
                of: source, list.indices.filter { isOwn($0) }, of: list, likeness)
            for (index, other) in own { (listOfSource[index], sourceOfList[other]) = (other, index) }
        }
    }

    /// Pairs the entries that are alike, in order.
    private static func pairs(
        _ indices: [Int], of entries: [EntryIdentity], _ others: [Int], of otherEntries: [EntryIdentity],
        _ likeness: Likeness
    ) -> [(Int, Int)] {
        guard !indices.isEmpty, !others.isEmpty else { return [] }
        var waiting: [Key: [Int]] = [:]
        for other in others.reversed() { waiting[Key(otherEntries[other], likeness), default: []].append(other) }
        return indices.compactMap { index in
            waiting[Key(entries[index], likeness)]?.popLast().map { (index, $0) }
        }
    }

    /// Whether neither the record nor the list has an entry of the source.
    func isNew(_ index: Int) -> Bool { recordOfSource[index] == nil && listOfSource[index] == nil }

    /// Whether an entry of the list is neither in the record nor in the source.
    private func isOwn(_ index: Int) -> Bool { recordOfList[index] == nil && sourceOfList[index] == nil }

    /// The index of the list's entry that is an entry of the source; nil if the user has removed it, or if it is new.
    func entry(ofSource index: Int) -> Int? {
        listOfSource[index] ?? recordOfSource[index].flatMap { listOfRecord[$0] }
    }

    /// Whether an entry of the list was imported, and the source does not have it any more.
    func hasLeft(_ index: Int) -> Bool { recordOfList[index].map { sourceOfRecord[$0] == nil } ?? false }

    /// The entries of the next record, in the order of the source. They keep the places where they were imported, so
    /// that one that moves back and forth in the source is not mistaken for two.
    /// - Parameter keepsAll: whether entries that left the source stay even if the list does not have them.
    func recorded(keepsAll: Bool) -> [EntryIdentity] {
        let now = source.indices.map { index in recordOfSource[index].map { record[$0] } ?? source[index] }
        let left = record.indices.filter { sourceOfRecord[$0] == nil && (keepsAll || listOfRecord[$0] != nil) }
        return now + left.map { record[$0] }
    }
}
