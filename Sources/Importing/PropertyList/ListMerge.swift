internal import Foundation
internal import Manifest

/// Merges a source into a list that was edited by hand. New entries are inserted, entries that left the source are
/// marked by a comment before them, and every other byte stays unchanged.
struct ListMerge {
    /// The result of a merge.
    package struct Outcome: Sendable {
        package var bytes: [UInt8]
        package var added = 0
        package var missing = 0
        package var returned = 0
        /// The number of photos whose album could not be added, because an array can't contain it or a photo has its
        /// key. They are in the album around it.
        package var flattened = 0
    }

    /// An entry of the list that is a photo.
    private struct Entry {
        let start: Int
        let end: Int
        let album: AlbumIdentity
        let identity: EntryIdentity
    }

    /// An album of the list, to which entries can be added.
    private final class Container {
        let element: PropertyListText.Element
        let path: [String]
        let parent: AlbumIdentity?
        var keys: DictKeys
        /// The end of the entry after which the next new entry is inserted; nil before the first entry.
        var lastEnd: Int?
        /// New entries that are waiting for an entry before which they are inserted.
        var waiting: [(String) -> String] = []
        /// New entries in albums that the list does not have.
        var newAlbums: [ImportedPhoto] = []
        var newAlbumsAt: Int?

        init(_ element: PropertyListText.Element, path: [String], parent: AlbumIdentity?) {
            self.element = element
            self.path = path
            self.parent = parent
            keys = DictKeys(isRoot: path.isEmpty)
            for member in element.members { if let key = member.key { keys.reserve(key) } }
        }
    }

    private static let mark = "<!-- gallerygen: no longer in the source"

    private let text: PropertyListText
    /// The absolute path of the list's folder.
    private let folder: String
    private let lineBreak: String
    private var containers: [AlbumIdentity: Container] = [:]
    private var entries: [Entry] = []
    /// The digests of the addresses of entries.
    private var addressDigests: Set<String> = []
    /// The new albums whose keys are reserved in the albums around them.
    private var reservedAlbums: Set<AlbumIdentity> = []
    private var outcome: Outcome
    /// The texts to insert, by their offsets, and the ranges to remove.
    private var insertions: [Int: [String]] = [:]
    private var removals: [Range<Int>] = []

    init(_ bytes: [UInt8], folder: String) {
        text = PropertyListText(bytes)
        self.folder = folder
        lineBreak = bytes.firstRange(of: Array("\r\n".utf8)) == nil ? "\n" : "\r\n"
        outcome = Outcome(bytes: bytes)
    }

    /// - Parameters:
    ///   - record: the record of the source as it is now, with one identity for each photo of the list.
    ///   - today: the date in marks.
    mutating func merge(_ list: ImportedList, record: ImportRecord, today: String) -> Outcome {
        guard let root = text.root else { return outcome }
        collect(root, path: [], parent: nil)
        let old = Self.record(of: record.source, in: text)
        let matching = EntryMatching(
            source: record.entries, record: old?.1.entries ?? [], list: entries.map(\.identity))
        // A record without places does not tell how many entries of an address the user has removed.
        let removed = Set(old?.1.addressesWithoutPlaces ?? []).subtracting(addressDigests)
        addNew(list, matching) { matching.isNew($0) && !removed.contains(record.entries[$0].address) }
        updateMarks(
            matching, known: old?.1.addresses ?? [], now: record.addresses, isComplete: list.isComplete, today: today)
        update(record, old: old, matching, keepsAll: !list.isComplete)
        outcome.bytes = changed()
        return outcome
    }

    // MARK: Existing entries

    private static func record(of source: String, in text: PropertyListText) -> (Range<Int>, ImportRecord)? {
        text.comments.lazy.compactMap { range in
            ImportRecord(comment: text.string(range)).map { (range, $0) }
        }.first { $0.1.source == source }
    }

    /// Collects the albums and entries of the list. The depth of the recursion is limited by that of albums, which the
    /// reader of the list has checked.
    private mutating func collect(_ element: PropertyListText.Element, path: [String], parent: AlbumIdentity?) {
        let identity = AlbumIdentity(path)
        containers[identity] = containers[identity] ?? Container(element, path: path, parent: parent)
        for member in element.members {
            if let addresses = member.value.addresses {
                // The first of several addresses identifies the entry.
                guard let address = addresses.first?.text else { continue }
                let entry = Entry(
                    start: member.start, end: text.endOfLine(after: member.value.range.upperBound), album: identity,
                    identity: EntryIdentity(address: address, album: path, name: member.name, in: folder))
                entries.append(entry)
                addressDigests.insert(entry.identity.address)
            } else if let key = member.key, member.value.isDict || member.value.name == "array" {
                collect(member.value, path: path + [key], parent: identity)
            }
        }
    }

    // MARK: New entries

    private mutating func addNew(_ list: ImportedList, _ matching: EntryMatching, isNew: (Int) -> Bool) {
        // Albums keep their names, as in a new list, so their keys are reserved before photos get theirs.
        for (index, photo) in list.photos.enumerated() where isNew(index) { reserveNewAlbum(of: photo) }
        for (index, photo) in list.photos.enumerated() {
            if isNew(index) {
                add(photo)
                outcome.added += 1
            } else if let entry = matching.entry(ofSource: index) {
                insertWaiting(before: entries[entry], in: AlbumIdentity(photo.album))
            }
        }
        for container in containers.values.sorted(by: { $0.element.range.lowerBound < $1.element.range.lowerBound }) {
            finish(container, shape: list.shape)
        }
    }

    /// Inserts the waiting entries before an entry that the list has. The entries that follow are inserted after it, in
    /// its album and in the albums around it. An entry that the user has moved to another album says nothing about the
    /// place of others.
    private mutating func insertWaiting(before entry: Entry, in album: AlbumIdentity) {
        guard let container = containers[album], entry.album == album, container.element.range.contains(entry.start)
        else { return }
        insert(container.waiting, before: text.startOfComments(before: entry.start))
        container.waiting = []
        container.lastEnd = entry.end
        var inner = container
        while let parent = inner.parent.flatMap({ containers[$0] }) {
            parent.lastEnd = text.endOfLine(after: inner.element.range.upperBound)
            inner = parent
        }
    }

    /// The innermost album of a photo that the list has, and the album in it that the list does not have.
    private func destination(of photo: ImportedPhoto) -> (container: Container, newAlbum: AlbumIdentity?)? {
        var path = photo.album
        while containers[AlbumIdentity(path)] == nil { path.removeLast() }
        guard let container = containers[AlbumIdentity(path)] else { return nil }
        let newAlbum = path.count < photo.album.count ? AlbumIdentity(Array(photo.album[...path.count])) : nil
        return (container, newAlbum)
    }

    /// Reserves the key of the album that a new photo needs. A key that a photo of the list has can't be reserved.
    private mutating func reserveNewAlbum(of photo: ImportedPhoto) {
        guard let (container, newAlbum) = destination(of: photo), let album = newAlbum, let name = album.path.last
        else { return }
        if container.element.isDict, container.keys.reserve(name) { reservedAlbums.insert(album) }
    }

    private mutating func add(_ photo: ImportedPhoto) {
        guard let (container, newAlbum) = destination(of: photo) else { return }
        if let newAlbum {
            if reservedAlbums.contains(newAlbum) {
                container.newAlbums.append(photo)
                container.newAlbumsAt = container.newAlbumsAt ?? container.lastEnd
                return
            }
            outcome.flattened += 1
        }
        let isDict = container.element.isDict
        let key = isDict ? container.keys.photo(photo.nameAsKey) : nil
        let write: (String) -> String = { indent in
            (key.map { PropertyListWriter.key($0, indented: indent) + "\n" } ?? "")
                + PropertyListWriter.dict(photo, indented: indent, isNamed: isDict)
        }
        if let end = container.lastEnd {
            insertions[end, default: []].append("\n" + write(indentation(in: container)))
        } else {
            container.waiting.append(write)
        }
    }

    private mutating func insert(_ waiting: [(String) -> String], before start: Int) {
        guard !waiting.isEmpty else { return }
        let indent = text.indentation(at: start) ?? PropertyListWriter.indentation
        let lines = waiting.map { $0(indent) + "\n" }.joined()
        // The first line is already indented.
        insertions[start, default: []].append(lines.dropFirst(indent.count) + indent)
    }

    /// Inserts the remaining entries at the end of their album.
    private mutating func finish(_ container: Container, shape: ImportedList.Shape) {
        let indent = indentation(in: container)
        var rest = container.waiting.map { $0(indent) }
        if !container.newAlbums.isEmpty {
            let lines = newAlbums(of: container, shape: shape, indent: indent)
            if let offset = container.newAlbumsAt {
                insertions[offset, default: []].append("\n" + lines)
            } else {
                rest.append(lines)
            }
        }
        guard !rest.isEmpty else { return }
        let lines = rest.map { "\n" + $0 }.joined()
        if let last = container.element.members.last {
            insertions[text.endOfLine(after: last.value.range.upperBound), default: []].append(lines)
            return
        }
        let outer = text.indentation(at: container.element.range.lowerBound) ?? ""
        if let end = container.element.contentEnd {
            // White space before the end tag remains before it.
            let isOnOwnLine = text.indentation(at: end) != nil && text.bytes[..<end].last != UInt8(ascii: ">")
            let offset = isOnOwnLine ? text.bytes[..<end].lastIndex(of: UInt8(ascii: "\n")) ?? end : end
            insertions[offset, default: []].append(isOnOwnLine ? lines : lines + "\n" + outer)
        } else {
            let name = container.element.name
            removals.append(container.element.range)
            insertions[container.element.range.lowerBound, default: []].append(
                "<\(name)>" + lines + "\n\(outer)</\(name)>")
        }
    }

    /// The text of albums that the list does not have, for insertion into an album that it has.
    private func newAlbums(of container: Container, shape: ImportedList.Shape, indent: String) -> String {
        let inner = container.newAlbums.map { photo in
            var photo = photo
            photo.album.removeFirst(container.path.count)
            return photo
        }
        let tree = AlbumTree(inner, shape: shape)
        return tree.root.nodes.compactMap { node in
            guard case .album(let album) = node else { return nil }
            return PropertyListWriter.key(album.name, indented: indent) + "\n" + album.text(indented: indent)
        }.joined(separator: "\n")
    }

    private func indentation(in container: Container) -> String {
        if let first = container.element.members.first, let indent = text.indentation(at: first.start) { return indent }
        return (text.indentation(at: container.element.range.lowerBound) ?? "") + PropertyListWriter.indentation
    }

    // MARK: Entries that left or returned

    /// - Parameters:
    ///   - known: the digests of the addresses that the source had at the last import.
    ///   - now: the digests of those that it has now.
    ///   - isComplete: whether what is missing left the source.
    private mutating func updateMarks(
        _ matching: EntryMatching, known: Set<String>, now: Set<String>, isComplete: Bool, today: String
    ) {
        for (index, entry) in entries.enumerated() {
            let mark = mark(before: entry.start)
            let isInSource = now.contains(entry.identity.address)
            // Copies that the user made of an entry leave together with it.
            if isInSource ? matching.hasLeft(index) : known.contains(entry.identity.address) {
                guard isComplete, mark == nil else { continue }
                // On the line of another entry, the mark would look like a comment on that one.
                let indent = text.indentation(at: entry.start)
                let lineBreak = indent == nil ? "\n" : ""
                insertions[entry.start, default: []].append(
                    "\(lineBreak)\(Self.mark), since \(today) -->\n\(indent ?? "")")
                outcome.missing += 1
            } else if isInSource, let mark {
                removals.append(mark.lowerBound..<entry.start)
                outcome.returned += 1
            }
        }
    }

    /// The mark before an entry, if nothing but white space is between them.
    private func mark(before start: Int) -> Range<Int>? {
        let end = text.bytes[..<start].lastIndex { !WhiteSpace.contains($0) }.map { $0 + 1 }
        guard let end, let comment = text.comment(endingAt: end), text.string(comment).hasPrefix(Self.mark) else {
            return nil
        }
        return comment
    }

    // MARK: Result

    /// Updates the record. Entries that left the source stay in the record as long as the list has them, so that they
    /// are recognised when they return.
    /// - Parameter keepsAll: whether entries that were removed by hand can still be in the source.
    private mutating func update(
        _ record: ImportRecord, old: (Range<Int>, ImportRecord)?, _ matching: EntryMatching, keepsAll: Bool
    ) {
        var record = record
        record.entries = matching.recorded(keepsAll: keepsAll)
        let now = record.addresses
        record.addressesWithoutPlaces = (old?.1.addressesWithoutPlaces ?? []).filter {
            !now.contains($0) && (keepsAll || addressDigests.contains($0))
        }
        if let old {
            guard old.1.words != record.words else { return }
            removals.append(old.0)
            insertions[old.0.lowerBound, default: []].append(record.comment)
        } else {
            insertions[text.end, default: []].append(record.comment + "\n")
        }
    }

    private func changed() -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        var removals = removals.sorted { $0.lowerBound < $1.lowerBound }[...]
        let offsets = Set(insertions.keys).union(removals.map(\.lowerBound)).sorted()
        for offset in offsets {
            if offset > index {
                result += text.bytes[index..<offset]
                index = offset
            }
            for insertion in insertions[offset] ?? [] {
                result += (lineBreak == "\n" ? insertion : insertion.replacing("\n", with: lineBreak)).utf8
            }
            if let removal = removals.first, removal.lowerBound == offset {
                removals = removals.dropFirst()
                index = max(index, removal.upperBound)
            }
        }
        return result + text.bytes[index...]
    }
}
