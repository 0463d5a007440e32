/// Why a manifest is refused as a whole: the facts. `ManifestError+Messages.swift` puts them into words.
///
/// The facts are stored behind one reference, which is all that a copy of the error copies. Copies of the facts
/// themselves have crashed in debug builds.
package indirect enum ManifestError: Error, Hashable, Sendable {
    /// The manifest has more than `limit` bytes.
    case tooLarge(limit: Int, TextPosition)
    case empty(TextPosition)
    /// The manifest is a property list, but not in XML.
    case otherPropertyList(PropertyListFormat, ManifestOrigin, TextPosition)
    /// The content is not a property list. The parser does not know the origin and leaves it nil.
    case notAPropertyList(UnexpectedContent, ManifestOrigin?, TextPosition)
    case brokenXML(XMLFault, TextPosition)
    case entity(String, EntityFault, TextPosition)
    case brokenPropertyList(PropertyListFault, TextPosition)
    case duplicateKey(String, first: TextPosition, second: TextPosition)
    /// Albums nest more than `limit` deep.
    case tooDeep(limit: Int, TextPosition)
    /// A key or a value has more than `limit` bytes.
    case textTooLong(limit: Int, TextPosition)
    /// The names of an album and of the albums around it have more than `limit` bytes.
    case albumPathTooLong(limit: Int, TextPosition)
    /// The property list has more than `limit` values.
    case tooManyValues(limit: Int, TextPosition)
    case markup(MarkupFault, TextPosition)
    /// The reading was cancelled.
    case cancelled
}

/// The forms of property lists that are recognised but not read.
package enum PropertyListFormat: Hashable, Sendable {
    case binary, json, openStep
}

/// Kinds of files that are not property lists.
package enum UnexpectedContent: Hashable, Sendable {
    /// A file that is recognised by its first bytes, with its name in messages: "a PDF document".
    case file(String)
    /// A picture that is recognised by its first bytes, with its name in messages: "a JPEG picture".
    case picture(String)
    /// Text without markup, such as addresses or CSV.
    case text
    /// XML with this root element.
    case root(String)
}

/// An error of libxml2 for a document that is not well-formed.
package struct XMLFault: Hashable, Sendable {
    /// The code, one of libxml2's `xmlParserErrors`.
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
    /// The expanded text of all references has more than `limit` bytes.
    case tooMuchText(limit: Int)
}

/// Markup in amounts that no property list needs, and that could not be read in a bounded time.
package enum MarkupFault: Hashable, Sendable {
    /// A tag has more than `limit` bytes.
    case longTag(limit: Int)
    /// The DOCTYPE has more than `limit` bytes between its brackets.
    case longSubset(limit: Int)
    /// An element has more than `limit` attributes.
    case attributes(limit: Int)
    /// The attributes, prefixes and instructions have more than `limit` different names.
    case names(limit: Int)
}

/// Defects of well-formed XML that is not a property list.
package enum PropertyListFault: Hashable, Sendable {
    case noValue
    case secondRoot
    /// The value at the top level is neither a dict nor an array, but for example "<string>".
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
