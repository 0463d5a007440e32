/// A message from a preview to the program that shows it. Events can come from any thread.
package enum PreviewEvent: Sendable {
    /// A photo is in its final state: its card and its record, both as JSON.
    case photo(card: [UInt8], record: [UInt8])
    /// The number of photos that are ready, and the link to those that need attention as HTML, if it is known.
    case progress(ready: Int, total: Int, attention: String?)
    /// A problem that needs attention. The preview continues.
    case warning(String)
    case remark(String)
    /// The disk or the ledger refuses writes, so no photo can be finished.
    case failed(GalleryError)
}

/// The parts of open pages that a change of the gallery concerns.
package struct PreviewChange: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let pages = PreviewChange(rawValue: 1)
    package static let styles = PreviewChange(rawValue: 2)
    package static let scripts = PreviewChange(rawValue: 4)
}
