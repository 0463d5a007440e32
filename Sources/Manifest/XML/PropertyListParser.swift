internal import CLibXML2

/// Reads one property list with libxml2's SAX interface, and owns the parser.
///
/// libxml2 gets its bytes from memory and reads nothing else: no network, no DTD, no entity of another file. Its own
/// limits stay on (no XML_PARSE_HUGE), and `MarkupLimits` adds those that it lacks. Errors are reported to this object
/// and not to handlers that threads share, so that several manifests can be read at once.
final class PropertyListParser {
    /// The most bytes that references to entities may add to the text of one manifest.
    static let maximumEntityText = 1_000_000

    private let file: String
    private let isCancelled: () -> Bool
    private var input: ParserInput
    private var builder = PropertyListBuilder()
    private var limits = MarkupLimits()
    private var entityText = 0
    private var failure: ManifestError?
    private let context: xmlParserCtxtPtr

    /// - Parameters:
    ///   - file: the name of the manifest in messages.
    ///   - isCancelled: called every few kilobytes.
    static func parse(
        _ bytes: [UInt8], file: String, isCancelled: @escaping () -> Bool
    ) throws(ManifestError) -> PropertyListValue {
        try PropertyListParser(bytes, file: file, isCancelled: isCancelled).run()
    }

    private init(_ bytes: [UInt8], file: String, isCancelled: @escaping () -> Bool) {
        input = ParserInput(bytes)
        self.file = file
        self.isCancelled = isCancelled
        LibXML2.initialize
        // xmlNewParserCtxt returns NULL only if memory has run out, which Swift itself does not survive either.
        guard let context = xmlNewParserCtxt() else { preconditionFailure("libxml2 has no parser") }
        self.context = context
    }

    deinit {
        xmlFreeParserCtxt(context)
    }

    private func run() throws(ManifestError) -> PropertyListValue {
        // The pointer is used only while `self` is alive: the parser is freed with it, and makes no calls after run().
        let reference = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.sax.pointee = Self.handlers
        context.pointee.userData = reference
        // libxml2 reports errors of its decoders not to the parser but to the thread's handler, which prints them
        // unless it is replaced. The parser then fails because text is missing, and that error is reported.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        defer { xmlSetStructuredErrorFunc(nil, nil) }
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue
        let document = withExtendedLifetime(self) {
            xmlCtxtReadIO(
                context, { PropertyListParser.from($0).read(into: $1, count: $2) }, nil, reference, nil, nil,
                Int32(options))
        }
        xmlFreeDoc(document)
        if let failure { throw failure }
        guard let value = builder.finish() else {
            throw .brokenXML(XMLFault(code: 0, message: "libxml2 stopped without giving a reason"), position)
        }
        return value
    }

    private static func from(_ reference: UnsafeMutableRawPointer?) -> PropertyListParser {
        guard let reference else { preconditionFailure("libxml2 lost its user data") }
        return Unmanaged<PropertyListParser>.fromOpaque(reference).takeUnretainedValue()
    }

    /// Copies the next bytes of the manifest into libxml2's buffer of `count` bytes: about 4,000. After a failure there
    /// are none, so that the parser comes to its end. xmlStopParser would free the buffer that is being filled.
    private func read(into buffer: UnsafeMutablePointer<CChar>?, count: Int32) -> Int32 {
        if failure == nil, isCancelled() { failure = .cancelled }
        if failure == nil, let fault = limits.faultOfLength(at: input.offset, isInTag: isInTag) {
            failure = .markup(fault, position)
        }
        guard failure == nil else { return 0 }
        return input.read(into: buffer, count: count)
    }
}

// MARK: Callbacks of libxml2

extension PropertyListParser {
    private static var handlers: xmlSAXHandler {
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        // Entities are stored in libxml2's document, which is created only for them. No element is ever added to it.
        sax.startDocument = { xmlSAX2StartDocument(PropertyListParser.from($0).context) }
        sax.internalSubset = { state, name, publicID, systemID in
            let parser = PropertyListParser.from(state)
            parser.limits.beganSubset(at: parser.input.offset)
            xmlSAX2InternalSubset(parser.context, name, publicID, systemID)
        }
        // The external subset is not loaded, but libxml2 calls this handler at the end of the internal one.
        sax.externalSubset = { state, _, _, _ in
            let parser = PropertyListParser.from(state)
            parser.limits.endedSubset(at: parser.input.offset)
        }
        sax.entityDecl = { state, name, kind, _, _, content in
            PropertyListParser.from(state).declareEntity(name, kind: kind, content: content)
        }
        sax.unparsedEntityDecl = { state, name, _, _, _ in
            PropertyListParser.from(state).refuseEntity(name, .external)
        }
        sax.getEntity = { PropertyListParser.from($0).entity($1) }
        sax.startElementNs = { state, name, prefix, _, namespaces, _, attributes, _, _ in
            let parser = PropertyListParser.from(state)
            parser.checkMarkup(attributes: Int(namespaces) + Int(attributes))
            parser.startElement(name, prefix: prefix)
        }
        sax.endElementNs = { state, _, _, _ in PropertyListParser.from(state).endElement() }
        sax.characters = { PropertyListParser.from($0).characters($1, count: $2) }
        sax.ignorableWhitespace = sax.characters
        sax.comment = { state, _ in
            let parser = PropertyListParser.from(state)
            parser.limits.tookEvent(at: parser.input.offset)
        }
        sax.processingInstruction = { state, _, _ in
            let parser = PropertyListParser.from(state)
            parser.limits.tookEvent(at: parser.input.offset)
            parser.checkMarkup(attributes: 0)
        }
        sax.serror = { PropertyListParser.from($0).report($1?.pointee) }
        return sax
    }

    private func declareEntity(
        _ name: UnsafePointer<xmlChar>?, kind: Int32, content: UnsafeMutablePointer<xmlChar>?
    ) {
        switch UInt32(kind) {
        case XML_INTERNAL_GENERAL_ENTITY.rawValue:
            // An entity that contains neither markup nor references can neither nest nor loop.
            guard let content, !String(cString: content).utf8.contains(where: { $0 == 0x26 || $0 == 0x3C }) else {
                return refuseEntity(name, .notPlainText)
            }
            xmlSAX2EntityDecl(context, name, kind, nil, nil, content)
        case XML_INTERNAL_PARAMETER_ENTITY.rawValue, XML_EXTERNAL_PARAMETER_ENTITY.rawValue:
            refuseEntity(name, .parameter)
        default:
            refuseEntity(name, .external)
        }
    }

    private func entity(_ name: UnsafePointer<xmlChar>?) -> xmlEntityPtr? {
        guard let entity = xmlSAX2GetEntity(context, name) else { return nil }
        entityText += Int(entity.pointee.length)
        if entityText > Self.maximumEntityText {
            refuseEntity(name, .tooMuchText(limit: Self.maximumEntityText))
        }
        return entity
    }

    private func refuseEntity(_ name: UnsafePointer<xmlChar>?, _ fault: EntityFault) {
        stop(.entity(name.map { String(cString: $0) } ?? "", fault, position))
    }

    private func checkMarkup(attributes: Int) {
        let names = Int(xmlDictSize(context.pointee.dict))
        guard let fault = MarkupLimits.fault(attributes: attributes, names: names) else { return }
        stop(.markup(fault, startTagPosition))
    }

    private func startElement(_ name: UnsafePointer<xmlChar>?, prefix: UnsafePointer<xmlChar>?) {
        limits.tookEvent(at: input.offset)
        guard let name, failure == nil else { return }
        let local = String(cString: name)
        let position = startTagPosition
        attempt { () throws(ManifestError) in
            try builder.start(prefix.map { "\(String(cString: $0)):\(local)" } ?? local, at: position)
        }
    }

    private func endElement() {
        limits.tookEvent(at: input.offset)
        guard failure == nil else { return }
        attempt { () throws(ManifestError) in try builder.end(at: position) }
    }

    private func characters(_ text: UnsafePointer<xmlChar>?, count: Int32) {
        limits.tookEvent(at: input.offset)
        guard let text, failure == nil else { return }
        // libxml2's buffer is valid only during this call.
        let bytes = UnsafeBufferPointer(start: text, count: Int(count))
        attempt { () throws(ManifestError) in
            try builder.text(bytes) { self.position(of: $0, in: bytes) }
        }
    }

    private func report(_ error: xmlError?) {
        guard let error, failure == nil, error.level == XML_ERR_ERROR || error.level == XML_ERR_FATAL,
            // Apple's tools ignore namespaces too.
            error.domain != Int32(XML_FROM_NAMESPACE.rawValue)
        else { return }
        let place = TextPosition(file: file, line: max(1, Int(error.line)), column: max(1, Int(error.int2)))
        let undefined = [XML_WAR_UNDECLARED_ENTITY.rawValue, XML_ERR_UNDECLARED_ENTITY.rawValue]
        if undefined.contains(UInt32(error.code)), let name = error.str1 {
            failure = .entity(String(cString: name), .undefined, place)
        } else {
            let message = error.message.map { String(cString: $0) } ?? ""
            let firstLine = message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "error \(error.code)"
            failure = .brokenXML(XMLFault(code: Int(error.code), message: firstLine), place)
        }
    }

    private func attempt(_ step: () throws(ManifestError) -> Void) {
        do throws(ManifestError) { try step() } catch { stop(error) }
    }

    private func stop(_ error: ManifestError) {
        if failure == nil { failure = error }
        xmlStopParser(context)
    }
}

// MARK: Positions of the parser

extension PropertyListParser {
    private var position: TextPosition {
        TextPosition(
            file: file, line: max(1, Int(xmlSAX2GetLineNumber(context))),
            column: max(1, Int(xmlSAX2GetColumnNumber(context))))
    }

    /// Whether the parser is in a tag or a reference. It reports any other content piece by piece, or has a state for
    /// it.
    private var isInTag: Bool {
        [XML_PARSER_CONTENT, XML_PARSER_START_TAG, XML_PARSER_END_TAG, XML_PARSER_ATTRIBUTE_VALUE]
            .contains(context.pointee.instate)
    }

    /// The beginning of the start tag whose end the parser has reached.
    private var startTagPosition: TextPosition {
        let end = position
        // libxml2 keeps a whole start tag between `base` and `cur` until its handler has returned.
        guard let input = context.pointee.input, let base = input.pointee.base, let cur = input.pointee.cur else {
            return end
        }
        let before = UnsafeBufferPointer(start: base, count: cur - base)
        guard let start = before.lastIndex(of: UInt8(ascii: "<")) else { return end }
        return TextPosition.before(end, by: before[start...], precededBy: before[..<start])
    }

    private func position(of index: Int, in text: UnsafeBufferPointer<UInt8>) -> TextPosition {
        TextPosition.before(position, by: text[index...], precededBy: text[..<index])
    }
}

extension TextPosition {
    /// The position that lies `text` before `end`. If there is a line break between them, the column is counted from
    /// the start of the line, as far as `earlier` reaches back.
    fileprivate static func before(
        _ end: TextPosition, by text: Slice<UnsafeBufferPointer<UInt8>>,
        precededBy earlier: Slice<UnsafeBufferPointer<UInt8>>
    ) -> TextPosition {
        func scalars(_ bytes: some Sequence<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
        let lineBreaks = text.count { $0 == UInt8(ascii: "\n") }
        let column =
            lineBreaks == 0
            ? end.column - scalars(text)
            : scalars(earlier.reversed().prefix { $0 != UInt8(ascii: "\n") }) + 1
        return TextPosition(file: end.file, line: max(1, end.line - lineBreaks), column: max(1, column))
    }
}
