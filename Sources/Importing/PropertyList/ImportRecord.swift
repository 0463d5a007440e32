internal import Foundation
internal import Manifest
internal import PhotoModel

/// A list's record of one of its sources: the entries that came from there. The record is a comment in the list. It
/// ensures that an entry that was removed by hand stays away, and that an entry that was added by hand is never
/// mistaken for one that left the source.
struct ImportRecord {
    /// The name of the source, for readers of the list. It never contains a secret.
    let shown: String
    /// The digest of the source's identity.
    let source: String
    /// The entries in the order of the source.
    var entries: [EntryIdentity]
    /// The digests of addresses of which an earlier version has recorded no places.
    var addressesWithoutPlaces: [String] = []

    private static let opening = "<!-- gallerygen: imported from "
    // A comment can't contain two hyphens in a row, so the options are not named here.
    private static let explanation =
        "What follows tells `gallerygen init`, when it merges that source again, which entries came from there."
    private static let digits = 12
    private static let perLine = 8

    init(shown: String, identity: String, entries: [EntryIdentity]) {
        self.shown = shown
        source = Self.digest(identity)
        self.entries = entries
    }

    /// Parses a comment. The result is nil if the comment is not a record.
    init?(comment: String) {
        guard comment.hasPrefix(Self.opening), comment.hasSuffix("-->"),
            let mark = comment.firstRange(of: " [", in: Self.opening.count),
            let end = comment[mark.upperBound...].firstIndex(of: "]")
        else { return nil }
        shown = String(comment[comment.index(comment.startIndex, offsetBy: Self.opening.count)..<mark.lowerBound])
        source = String(comment[mark.upperBound..<end])
        entries = []
        // Each address is followed by its places.
        var address: String?
        var hasPlaces = true
        for word in comment[end...].split(whereSeparator: \.isWhitespace).map(String.init) {
            if word.utf8.count == Self.digits, EntryIdentity.isHexadecimal(word) {
                if let address, !hasPlaces { addressesWithoutPlaces.append(address) }
                (address, hasPlaces) = (word, false)
            } else if let address, let place = EntryIdentity.Place(word) {
                entries.append(EntryIdentity(address: address, place: place))
                hasPlaces = true
            }
        }
        if let address, !hasPlaces { addressesWithoutPlaces.append(address) }
    }

    /// The digests of all addresses.
    var addresses: Set<String> { Set(entries.map(\.address)).union(addressesWithoutPlaces) }

    /// The digest of an address in the list.
    /// - Parameter folder: the absolute path of the list's folder.
    static func digest(ofAddress address: String, in folder: String) -> String {
        let address = WhiteSpace.trimmed(address)
        let isURL = address.lowercased().hasPrefix("http://") || address.lowercased().hasPrefix("https://")
        guard !isURL, !address.hasPrefix("file:") else { return digest(address) }
        // The same path can be written in several ways, and the list can be moved together with its pictures.
        let path = FilePath.normalized(address, in: folder)
        return digest(FilePath.isAbsolute(address) ? path : FilePath.relative(path, to: folder))
    }

    private static func digest(_ text: String) -> String { String(Digest(of: text).hex.prefix(digits)) }

    var comment: String {
        // Two hyphens would end the comment.
        let shown = PlainText.shortened(shown, to: 200)?.replacing("--", with: "- -").replacing("[", with: "(") ?? ""
        var lines = [
            "\(Self.opening)\(shown.hasSuffix("-") ? shown + " " : shown) [\(source)].", "     \(Self.explanation)",
        ]
        let words = words
        for start in stride(from: 0, to: words.count, by: Self.perLine) {
            lines.append("     " + words[start..<min(start + Self.perLine, words.count)].joined(separator: " "))
        }
        return lines.joined(separator: "\n") + " -->"
    }

    /// The addresses, each once and followed by its places. Earlier versions read only the addresses.
    var words: [String] {
        var order: [String] = []
        var places: [String: [String]] = [:]
        for entry in entries {
            if places[entry.address] == nil { order.append(entry.address) }
            places[entry.address, default: []].append(entry.place.text)
        }
        return order.flatMap { [$0] + (places[$0] ?? []) } + addressesWithoutPlaces
    }
}

extension String {
    fileprivate func firstRange(of text: String, in offset: Int) -> Range<String.Index>? {
        self[index(startIndex, offsetBy: offset)...].firstRange(of: text)
    }
}
