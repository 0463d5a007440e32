/// Bounds what XML may have beside elements and texts, where libxml2 2.9 takes time that grows with the square of the
/// size: it compares each attribute of a start tag with all before it, each value of an enumeration likewise, and its
/// table of names stops growing. Property lists need nothing of the kind but the version of `plist` and an internal
/// subset of a few lines.
struct MarkupLimits {
    /// Bytes from the name of a tag, or of a reference, to its end. The parser may have read some more by then.
    static let maximumTagLength = 16_000
    /// Bytes between the brackets of a DOCTYPE.
    static let maximumSubsetLength = 32_000
    /// Attributes and namespace declarations of one element, those with a default included.
    static let maximumAttributesOfElement = 8
    /// Different names of attributes, prefixes and instructions.
    static let maximumNames = 10_000

    /// The parser's offset in the manifest at its last event.
    private var lastEvent = 0
    /// The same for the beginning of the internal subset; nil outside it.
    private var subsetStart: Int?

    /// - Parameter offset: how many bytes the parser has taken.
    mutating func tookEvent(at offset: Int) { lastEvent = offset }

    mutating func beganSubset(at offset: Int) {
        subsetStart = offset
        lastEvent = offset
    }

    mutating func endedSubset(at offset: Int) {
        subsetStart = nil
        lastEvent = offset
    }

    /// Looks before the parser takes more bytes.
    /// - Parameter isInTag: whether it is neither in text nor in a comment, an instruction or a CDATA section.
    func faultOfLength(at offset: Int, isInTag: Bool) -> MarkupFault? {
        if let subsetStart {
            return offset - subsetStart > Self.maximumSubsetLength ? .longSubset(limit: Self.maximumSubsetLength) : nil
        }
        let isTooLong = isInTag && offset - lastEvent > Self.maximumTagLength
        return isTooLong ? .longTag(limit: Self.maximumTagLength) : nil
    }

    /// - Parameters:
    ///   - attributes: attributes and namespace declarations of an element.
    ///   - names: how many the parser's table has.
    static func fault(attributes: Int, names: Int) -> MarkupFault? {
        if attributes > maximumAttributesOfElement { return .attributes(limit: maximumAttributesOfElement) }
        return names > maximumNames ? .names(limit: maximumNames) : nil
    }
}
