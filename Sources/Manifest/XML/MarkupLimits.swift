/// Limits the markup other than elements and texts, for which libxml2 2.9 takes time that grows with the square of the
/// size: it compares each attribute of a start tag, and each value of an enumeration, with all before it, and its table
/// of names stops growing. Property lists need only the version of `plist` and an internal subset of a few lines.
struct MarkupLimits {
    /// The most bytes from the name of a tag, or of a reference, to its end. The parser may read a few more before it
    /// stops.
    static let maximumTagLength = 16_000
    /// The most bytes between the brackets of a DOCTYPE.
    static let maximumSubsetLength = 32_000
    /// The most attributes and namespace declarations of one element, including those with a default.
    static let maximumAttributesOfElement = 8
    /// The most different names of attributes, prefixes and instructions.
    static let maximumNames = 10_000

    /// The parser's offset in the manifest at its last event.
    private var lastEvent = 0
    /// The parser's offset at the beginning of the internal subset; nil outside it.
    private var subsetStart: Int?

    /// - Parameter offset: the number of bytes that the parser has taken.
    mutating func tookEvent(at offset: Int) { lastEvent = offset }

    mutating func beganSubset(at offset: Int) {
        subsetStart = offset
        lastEvent = offset
    }

    mutating func endedSubset(at offset: Int) {
        subsetStart = nil
        lastEvent = offset
    }

    /// Checks the length of the current markup. This must be called before the parser takes more bytes.
    ///
    /// - Parameter isInTag: whether the parser is in a tag or a reference, and not in text, a comment, an instruction
    ///   or a CDATA section.
    func faultOfLength(at offset: Int, isInTag: Bool) -> MarkupFault? {
        if let subsetStart {
            return offset - subsetStart > Self.maximumSubsetLength ? .longSubset(limit: Self.maximumSubsetLength) : nil
        }
        let isTooLong = isInTag && offset - lastEvent > Self.maximumTagLength
        return isTooLong ? .longTag(limit: Self.maximumTagLength) : nil
    }

    /// - Parameters:
    ///   - attributes: the number of attributes and namespace declarations of an element.
    ///   - names: the number of names in the parser's table.
    static func fault(attributes: Int, names: Int) -> MarkupFault? {
        if attributes > maximumAttributesOfElement { return .attributes(limit: maximumAttributesOfElement) }
        return names > maximumNames ? .names(limit: maximumNames) : nil
    }
}
