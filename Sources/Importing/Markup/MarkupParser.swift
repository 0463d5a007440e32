internal import CLibXML2
internal import Manifest

/// Receives the elements and texts of a document, in its order.
protocol MarkupHandler: AnyObject {
    /// - Parameter name: the name of the element: for XML as `MarkupNames` returns it, for HTML in lower case.
    func start(_ name: String, _ attributes: [String: String], line: Int)
    func end(_ name: String)
    /// - Parameter text: a text in UTF-8, valid until the call returns. A text can arrive in several pieces.
    func text(_ text: UnsafeBufferPointer<UInt8>)
}

/// Parses XML and HTML with libxml2's SAX interface, so that a document of any size takes no more memory than the
/// handler's result. Owns libxml2's parser.
///
/// libxml2 gets its bytes from memory and reads nothing else: nothing from the network, no DTD, no external entity, and
/// no entity that the document defines. Its own limits stay on, and those of `ImportLimits` are added.
final class MarkupParser {
    private let handler: any MarkupHandler
    private let isHTML: Bool
    private let isUTF8: Bool
    private let context: xmlParserCtxtPtr
    private var input: ParserInput
    private var names = MarkupNames()
    private var lastEvent = 0
    private var subsetStart: Int?
    private var depth = 0
    private var failure: ImportError?
    private var isStopped = false

    /// The most bytes of a tag, and of the declarations in a DOCTYPE.
    private static let longestTag = 1_000_000
    private static let longestSubset = 32_000

    /// - Parameters:
    ///   - bytes: the document, in any encoding that libxml2 knows, if the document declares it.
    ///   - isUTF8: whether the bytes are UTF-8, whatever the document declares.
    static func parseXML(
        _ bytes: [UInt8], isUTF8: Bool = false, into handler: some MarkupHandler
    ) throws(ImportError) {
        try MarkupParser(bytes, handler, isHTML: false, isUTF8: isUTF8).run()
    }

    /// - Parameter bytes: the page in UTF-8, whatever it declares. libxml2 repairs broken markup.
    static func parseHTML(_ bytes: [UInt8], into handler: some MarkupHandler) throws(ImportError) {
        try MarkupParser(bytes, handler, isHTML: true, isUTF8: true).run()
    }

    private init(_ bytes: [UInt8], _ handler: some MarkupHandler, isHTML: Bool, isUTF8: Bool) {
        input = ParserInput(bytes)
        self.handler = handler
        self.isHTML = isHTML
        self.isUTF8 = isUTF8
        LibXML2.initialize
        // libxml2 returns NULL only when memory has run out, which Swift itself does not survive either.
        guard let context = isHTML ? htmlNewParserCtxt() : xmlNewParserCtxt() else {
            preconditionFailure("libxml2 has no parser")
        }
        self.context = context
    }

    deinit {
        if isHTML { htmlFreeParserCtxt(context) } else { xmlFreeParserCtxt(context) }
    }

    private func run() throws(ImportError) {
        // The pointer is used only while `self` is alive: the parser is freed with it, and calls nothing after run().
        let reference = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.sax.pointee = isHTML ? Self.htmlHandlers : Self.xmlHandlers
        context.pointee.userData = reference
        // libxml2 reports errors of its decoders to the thread's handler, which prints them unless it is replaced.
        xmlSetStructuredErrorFunc(nil) { _, _ in }
        defer { xmlSetStructuredErrorFunc(nil, nil) }
        withExtendedLifetime(self) {
            let read: xmlInputReadCallback = { MarkupParser.from($0).read(into: $1, count: $2) }
            if isHTML {
                let options = HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue
                xmlFreeDoc(htmlCtxtReadIO(context, read, nil, reference, nil, "UTF-8", Int32(options)))
            } else {
                let options = XML_PARSE_NONET.rawValue | (isUTF8 ? XML_PARSE_IGNORE_ENC.rawValue : 0)
                xmlFreeDoc(
                    xmlCtxtReadIO(context, read, nil, reference, nil, isUTF8 ? "UTF-8" : nil, Int32(options)))
            }
        }
        if let failure { throw failure }
    }

    private static func from(_ reference: UnsafeMutableRawPointer?) -> MarkupParser {
        guard let reference else { preconditionFailure("libxml2 lost its user data") }
        return Unmanaged<MarkupParser>.fromOpaque(reference).takeUnretainedValue()
    }

    /// Copies the next bytes to libxml2's buffer of `count` bytes. After a failure there are none, so that the parser
    /// ends.
    private func read(into buffer: UnsafeMutablePointer<CChar>?, count: Int32) -> Int32 {
        checkLengths()
        guard !isStopped else { return 0 }
        return input.read(into: buffer, count: count)
    }

    private func checkLengths() {
        // `maxatts` is the capacity of the parser's list of attributes, which never shrinks. An attribute takes five
        // slots in XML and two in HTML.
        let attributes = Int(context.pointee.maxatts) / (isHTML ? 2 : 5)
        if attributes > ImportLimits.attributes * 2 {
            return stop(.markup(.tooManyAttributes(limit: ImportLimits.attributes), line: line))
        }
        if let subsetStart, input.offset - subsetStart > Self.longestSubset {
            return stop(.markup(.declarations, line: line))
        }
        let isInTag = [XML_PARSER_CONTENT, XML_PARSER_START_TAG, XML_PARSER_ATTRIBUTE_VALUE]
            .contains(context.pointee.instate)
        if !isHTML, isInTag, input.offset - lastEvent > Self.longestTag { stop(.markup(.longTag, line: line)) }
    }

    private func stop(_ error: ImportError) {
        if failure == nil { failure = error }
        isStopped = true
    }

    private var line: Int { max(1, Int(xmlSAX2GetLineNumber(context))) }
}

// MARK: Callbacks for libxml2

extension MarkupParser {
    private static var xmlHandlers: xmlSAXHandler {
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.internalSubset = { state, _, _, _ in
            let parser = MarkupParser.from(state)
            parser.subsetStart = parser.input.offset
        }
        sax.externalSubset = { state, _, _, _ in MarkupParser.from(state).subsetStart = nil }
        sax.getEntity = { _, name in xmlGetPredefinedEntity(name) }
        // The entity may be defined in the document's DTD, which is not read.
        sax.reference = { MarkupParser.from($0).reference($1) }
        sax.startElementNs = { state, name, prefix, uri, _, _, count, _, attributes in
            MarkupParser.from(state).startXML(name, prefix, uri, attributes, count: Int(count))
        }
        sax.endElementNs = { state, name, prefix, uri in
            let parser = MarkupParser.from(state)
            parser.end(parser.names.name(name, prefix: prefix, uri: uri))
        }
        sax.characters = { MarkupParser.from($0).characters($1, $2) }
        sax.cdataBlock = sax.characters
        sax.ignorableWhitespace = sax.characters
        sax.comment = { state, _ in MarkupParser.from(state).tookEvent() }
        sax.serror = { MarkupParser.from($0).report($1?.pointee) }
        return sax
    }

    private static var htmlHandlers: xmlSAXHandler {
        var sax = xmlSAXHandler()
        sax.initialized = 1
        sax.startElement = { state, name, attributes in MarkupParser.from(state).startHTML(name, attributes) }
        sax.endElement = { state, name in
            MarkupParser.from(state).end(name.map { String(cString: $0).lowercased() } ?? "")
        }
        sax.characters = { MarkupParser.from($0).characters($1, $2) }
        sax.cdataBlock = sax.characters
        sax.ignorableWhitespace = sax.characters
        sax.comment = { state, _ in MarkupParser.from(state).tookEvent() }
        return sax
    }

    private func tookEvent() { lastEvent = input.offset }

    private func startXML(
        _ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ uri: UnsafePointer<xmlChar>?,
        _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) {
        var attributes: [String: String] = [:]
        if let list {
            for index in 0..<count {
                // An attribute is a name, a prefix, a namespace, and the start and the end of the value.
                let entry = UnsafeBufferPointer(start: list + index * 5, count: 5)
                guard let name = entry[0], let start = entry[3], let end = entry[4] else { continue }
                let value = String(decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self)
                attributes[names.name(name, prefix: entry[1], uri: entry[2])] = value
            }
        }
        start(names.name(name, prefix: prefix, uri: uri), attributes, deepest: ImportLimits.xmlDepth)
    }

    private func startHTML(_ name: UnsafePointer<xmlChar>?, _ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        var attributes: [String: String] = [:]
        // The list consists of pairs of a name and a value, and ends with NULL.
        var next = list
        while let pair = next, let name = pair[0] {
            attributes[String(cString: name).lowercased()] = pair[1].map { String(cString: $0) } ?? ""
            next = pair + 2
        }
        start(name.map { String(cString: $0).lowercased() } ?? "", attributes, deepest: ImportLimits.htmlDepth)
    }

    private func start(_ name: String, _ attributes: [String: String], deepest: Int) {
        tookEvent()
        guard !isStopped else { return }
        depth += 1
        guard depth <= deepest else { return stop(.markup(.tooDeep(limit: deepest), line: line)) }
        guard attributes.count <= ImportLimits.attributes else {
            return stop(.markup(.tooManyAttributes(limit: ImportLimits.attributes), line: line))
        }
        handler.start(name, attributes, line: line)
    }

    private func end(_ name: String) {
        tookEvent()
        guard !isStopped else { return }
        depth -= 1
        handler.end(name)
    }

    private func characters(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
        tookEvent()
        guard let text, !isStopped else { return }
        // The buffer belongs to libxml2 and is valid only during this call.
        handler.text(UnsafeBufferPointer(start: text, count: Int(count)))
    }

    private func reference(_ name: UnsafePointer<xmlChar>?) {
        guard let name, let entity = htmlEntityLookup(name), let scalar = Unicode.Scalar(entity.pointee.value) else {
            return
        }
        let text = Array(String(Character(scalar)).utf8)
        text.withUnsafeBufferPointer { handler.text($0) }
    }

    private func report(_ error: xmlError?) {
        guard let error, failure == nil, error.level == XML_ERR_FATAL else { return }
        let message = error.message.map { String(cString: $0) } ?? ""
        let firstLine = message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "error \(error.code)"
        stop(.markup(.broken(firstLine), line: max(1, Int(error.line))))
    }
}
