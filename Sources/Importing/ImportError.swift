/// Why a source gives no list.
package enum ImportError: Error, Hashable, Sendable {
    /// The source is larger than `limit` bytes.
    case tooLarge(limit: Int)
    case tooManyPhotos(limit: Int)
    /// The list that would be written, in bytes.
    case listTooLarge(limit: Int)
    case empty
    /// The source is valid, but lists no picture.
    case noPhotos(SourceFormat)
    /// The source is on the network, and all its addresses are on private servers.
    case onlyPrivateAddresses
    /// The source is something else, which the text names: "a PDF document".
    case notAList(String)
    case propertyList
    case picture
    /// The folder can't be listed. The text is the system's message.
    case unreadableFolder(String)
    case csv(CSVFault, line: Int, column: Int)
    /// No column has addresses. The texts are the names of the columns.
    case noAddressColumn([String])
    case json(JSONFault, line: Int, column: Int)
    case markup(MarkupFault, line: Int)
    /// A batch of MediaWiki's files has no picture, but more batches follow.
    /// - Parameter next: the parameters that request the next batch.
    case noPhotosInBatch(next: String)
    /// The member of a IIIF collection is neither a manifest nor a collection.
    case notIIIF
    /// No manifest of a IIIF collection could be read. There is one sentence for each manifest.
    case noManifest([String])
    /// The list that a source should be merged into is not UTF-8.
    case listIsNotUTF8
    /// The list that was made can't be read again, which is a fault of this program. The text is the reader's message.
    case unreadableResult(String)
}

/// The formats of sources.
package enum SourceFormat: String, Hashable, Sendable {
    case folder, text, csv, json, feed, webPage, iiif, collection, mediaWiki, status
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
    /// The markup is broken. The text is libxml2's message.
    case broken(String)
    case tooDeep(limit: Int)
    case tooManyAttributes(limit: Int)
    case longTag
    /// The declarations of the DTD are too long. No feed needs any.
    case declarations
}
