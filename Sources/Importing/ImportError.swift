/// Why a source gives no list: the facts.
package enum ImportError: Error, Hashable, Sendable {
    /// Bytes.
    case tooLarge(limit: Int)
    case tooManyPhotos(limit: Int)
    case empty
    /// The source was understood and lists no picture.
    case noPhotos(SourceFormat)
    /// The name of what it is: "a PDF document".
    case notAList(String)
    case propertyList
    case picture
    /// The folder can't be listed: the system's words.
    case unreadableFolder(String)
    case csv(CSVFault, line: Int, column: Int)
    /// The columns that are there.
    case noAddressColumn([String])
    case json(JSONFault, line: Int, column: Int)
    case markup(MarkupFault, line: Int)
    /// A member of a IIIF collection that is neither a manifest nor a collection.
    case notIIIF
    /// No manifest of a IIIF collection could be read: a sentence for each.
    case noManifest([String])
    /// A list to be merged into that is not UTF-8.
    case listIsNotUTF8
    /// A list that would not be read again: a fault of this program.
    case unreadableResult(String)
}

/// The formats of sources.
package enum SourceFormat: String, Hashable, Sendable {
    case folder, text, csv, json, feed, webPage, iiif, collection, status
}

/// Defects of a CSV (RFC 4180).
package enum CSVFault: Hashable, Sendable {
    case openQuote, textAfterQuote
    case tooManyColumns(limit: Int)
    case longField(limit: Int)
}

/// Defects of JSON (RFC 8259).
package enum JSONFault: Hashable, Sendable {
    case unexpected(String)
    case endOfText, badNumber, badEscape, controlCharacter
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
}

/// Defects of XML and HTML.
package enum MarkupFault: Hashable, Sendable {
    /// libxml2's words.
    case broken(String)
    case tooDeep(limit: Int)
    case tooManyAttributes(limit: Int)
    case longTag
    /// Declarations of a DTD, which no feed needs.
    case declarations
}
