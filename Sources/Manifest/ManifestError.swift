/// Why a manifest is refused as a whole: the facts. The words made of them are in `ManifestError+Words.swift`.
package enum ManifestError: Error, Hashable, Sendable {
    /// Bytes.
    case tooLarge(limit: Int, TextPosition)
    case empty(TextPosition)
    /// A property list, but not in XML.
    case otherPropertyList(PropertyListFormat, ManifestOrigin, TextPosition)
    /// The origin is nil while only the parser knows of it.
    case notAPropertyList(ForeignContent, ManifestOrigin?, TextPosition)
    case brokenXML(XMLFault, TextPosition)
    case entity(String, EntityFault, TextPosition)
    case brokenPropertyList(PropertyListFault, TextPosition)
    case duplicateKey(String, first: TextPosition, second: TextPosition)
    /// Albums.
    case tooDeep(limit: Int, TextPosition)
    /// Bytes in one key or value.
    case textTooLong(limit: Int, TextPosition)
    /// Bytes in the names of an album and of those around it.
    case albumPathTooLong(limit: Int, TextPosition)
    /// Values in the property list.
    case tooManyValues(limit: Int, TextPosition)
    case markup(MarkupFault, TextPosition)
    /// The reading was cancelled.
    case cancelled
}

/// The forms of property lists that are recognised but not read.
package enum PropertyListFormat: Hashable, Sendable {
    case binary, json, openStep
}

/// Kinds of files that are no property list.
package enum ForeignContent: Hashable, Sendable {
    /// Recognised by its first bytes; what people call it: "a JPEG picture".
    case file(String)
    /// A picture, likewise.
    case picture(String)
    /// Text without markup: addresses, or a CSV.
    case text
    /// XML with another root element.
    case root(String)
}

/// libxml2's errors of documents that are not well-formed.
package struct XMLFault: Hashable, Sendable {
    /// libxml2's xmlParserErrors.
    package let code: Int
    package let message: String
}

/// Why an entity is not replaced by its text.
package enum EntityFault: Hashable, Sendable {
    case undefined
    /// The entity's text is in another file, which is never opened.
    case external
    /// A parameter entity, which is for DTDs only.
    case parameter
    /// The entity's text contains markup or other entities.
    case notPlainText
    /// The expanded text of all references exceeds so many bytes.
    case tooMuchText(limit: Int)
}

/// Markup that no property list needs so much of, and that could not be read in a bounded time.
package enum MarkupFault: Hashable, Sendable {
    /// Bytes.
    case longTag(limit: Int)
    /// Bytes between the brackets of the DOCTYPE.
    case longSubset(limit: Int)
    /// Too many attributes of one element.
    case attributes(limit: Int)
    /// Different names of attributes, prefixes and instructions.
    case names(limit: Int)
}

/// Defects of well-formed XML that is no property list.
package enum PropertyListFault: Hashable, Sendable {
    case noValue
    case secondRoot
    /// "<string>"
    case rootIsNoList(String)
    case unknownElement(String)
    case elementInText(String, inside: String)
    case strayText(inside: String)
    case keyInArray
    case keyAfterKey(String)
    case keyWithoutValue(String)
    case valueWithoutKey(after: String?)
    case badValue(String, element: String)
}
