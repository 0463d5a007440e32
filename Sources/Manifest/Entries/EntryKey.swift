/// The keys that the dict of a photo can have.
package enum EntryKey: String, CaseIterable {
    case url, image, icon, src
    case name, title
    case caption, subtitle, description, download
    case alt, credit, license, link, date, tags, filter, rating
    case expectChange = "expect-change"
    case sha256

    /// The keys of the address, of which the first that is present counts. The same applies to `names` and `captions`.
    package static let addresses: [EntryKey] = [.url, .image, .icon, .src]
    static let names: [EntryKey] = [.name, .title]
    static let captions: [EntryKey] = [.caption, .subtitle, .description, .download]

    /// The known key that was probably meant by `text`; nil if none is near.
    static func nearest(to text: String) -> EntryKey? {
        let written = Array(text.lowercased().utf8)
        // A longer text is not a misspelling, and the distance is expensive to compute.
        guard written.count <= 24 else { return nil }
        let ranked = allCases.map { (key: $0, distance: EditDistance.between(written, Array($0.rawValue.utf8))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.key.rawValue.utf8.count / 3) ? best.key : nil
    }
}
