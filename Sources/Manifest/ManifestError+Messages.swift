internal import CLibXML2

extension ManifestError: CustomStringConvertible {
    /// The diagnostics, each on a line of its own.
    package var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }

    /// The messages: what is wrong, where, and what to do. They are empty only if the reading was cancelled.
    package var diagnostics: [ManifestDiagnostic] {
        switch self {
        case .tooLarge(let limit, let position):
            [ManifestDiagnostic(position: position, message: "larger than \(limit / 1_000_000) MB; split the manifest")]
        case .empty(let position):
            [ManifestDiagnostic(position: position, message: "empty: expected an XML property list")]
        case .otherPropertyList(let format, let origin, let position):
            [ManifestDiagnostic(position: position, message: Self.message(format, origin))]
        case .notAPropertyList(.root(let element), _, let position) where ["dict", "array"].contains(element):
            [
                ManifestDiagnostic(
                    position: position,
                    message:
                        "the \(element) is not inside a plist; put it between <plist version=\"1.0\"> and </plist>")
            ]
        case .notAPropertyList(let content, let origin, let position):
            [ManifestDiagnostic(position: position, message: Self.message(content, origin))]
        case .brokenXML(let fault, let position):
            [ManifestDiagnostic(position: position, message: "broken XML: \(fault.explanation)")]
        case .entity(let name, let fault, let position):
            [ManifestDiagnostic(position: position, message: fault.explanation(for: name.quoted))]
        case .brokenPropertyList(let fault, let position):
            [ManifestDiagnostic(position: position, message: fault.explanation)]
        case .duplicateKey(let key, let first, let second):
            [
                ManifestDiagnostic(
                    position: second,
                    message: "duplicate key \(key.quoted), first on line \(first.line); rename or remove one of them"),
                ManifestDiagnostic(position: first, message: "the key \(key.quoted) is first used here"),
            ]
        case .tooDeep(let limit, let position):
            [ManifestDiagnostic(position: position, message: "albums nest more than \(limit) deep")]
        case .textTooLong(let limit, let position):
            [ManifestDiagnostic(position: position, message: "a text is longer than \(limit / 1_000_000) MB")]
        case .albumPathTooLong(let limit, let position):
            [
                ManifestDiagnostic(
                    position: position,
                    message: "the names of this album and its parents exceed \(limit) bytes; shorten them")
            ]
        case .tooManyValues(let limit, let position):
            [
                ManifestDiagnostic(
                    position: position, message: "more than \(limit / 1_000_000) million values; split the manifest")
            ]
        case .markup(let fault, let position):
            [ManifestDiagnostic(position: position, message: fault.explanation)]
        case .cancelled: []
        }
    }

    private static func message(_ content: UnexpectedContent, _ origin: ManifestOrigin?) -> String {
        let message = "this is \(content.name), not a property list"
        guard let origin, let command = ImportCommand(content, origin: origin) else { return message }
        let subject = content.isPicture ? "the pictures in a folder" : "it"
        return "\(message); make a list of \(subject) with\n  \(command.text)"
    }

    private static func message(_ format: PropertyListFormat, _ origin: ManifestOrigin) -> String {
        guard format != .json else {
            return "this is JSON; make a list of it with\n  \(ImportCommand(origin, fileEnding: "json").text)"
        }
        let commands = ConversionCommands(from: format, origin: origin)
        let name =
            switch format {
            case .binary: "a binary property list"
            case .json, .openStep: "an OpenStep property list"
            }
        return """
            this is \(name); only XML property lists are supported. Convert it with
              \(commands.plutil)
            on macOS, or anywhere with
              \(commands.python)
            """
    }
}

extension UnexpectedContent {
    fileprivate var isPicture: Bool { if case .picture = self { true } else { false } }

    /// The name of the content in messages: "a JPEG picture".
    fileprivate var name: String {
        switch self {
        case .file(let name), .picture(let name): name
        case .text: "text"
        case .root("html"), .root("HTML"): "a web page"
        case .root("rss"), .root("feed"), .root("RDF"): "a news feed"
        case .root("svg"): "an SVG drawing"
        case .root(let element): "XML with the root element \(element.quoted)"
        }
    }
}

extension XMLFault {
    /// libxml2's own message, unless it would leave people without a clue.
    fileprivate var explanation: String {
        let message = message.printable
        return switch xmlParserErrors(UInt32(truncatingIfNeeded: code)) {
        case XML_ERR_DOCUMENT_EMPTY: "the first element is missing"
        case XML_ERR_DOCUMENT_END: "there is content after the end of the property list"
        case XML_ERR_INVALID_CHAR: "a character that XML does not allow (\(message))"
        case XML_ERR_INVALID_ENCODING:
            "bytes that are not valid in the encoding; name the right one in the first line, or repair the text"
        case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_NAME_REQUIRED:
            "an & or < that is not part of the markup; write &amp; or &lt;"
        case XML_ERR_LTSLASH_REQUIRED, XML_ERR_TAG_NOT_FINISHED: "the end is missing (\(message))"
        default: message
        }
    }
}

extension EntityFault {
    fileprivate func explanation(for name: String) -> String {
        switch self {
        case .undefined: "the entity \(name) is not defined; write the character itself"
        case .external: "the entity \(name) is in another file, which is not read; write its text here"
        case .parameter: "the parameter entity \(name) is not supported; property lists need none"
        case .notPlainText: "the entity \(name) contains markup or other entities; write its text where it is used"
        case .tooMuchText(let limit): "entities grow to more than \(limit / 1_000_000) MB of text, \(name) among them"
        }
    }
}

extension MarkupFault {
    fileprivate var explanation: String {
        switch self {
        case .longTag(let limit): "a tag of more than \(limit / 1_000) kB; property lists need no attributes"
        case .longSubset(let limit):
            "more than \(limit / 1_000) kB of declarations in the DOCTYPE; property lists need none"
        case .attributes(let limit): "an element with more than \(limit) attributes; property lists need none"
        case .names(let limit):
            "more than \(limit) names of attributes and instructions; property lists need none"
        }
    }
}

extension PropertyListFault {
    fileprivate var explanation: String {
        switch self {
        case .noValue: "the property list has no value; expected a dict or an array"
        case .secondRoot: "a second value at the top level; a property list has one dict or one array"
        case .rootIsNoList(let found): "the value at the top level is \(found); expected a dict or an array"
        case .unknownElement(let name):
            if let known = PropertyListElement(rawValue: name.lowercased())?.rawValue {
                "unknown element \(name.quoted) (did you mean '\(known)'?)"
            } else {
                "unknown element \(name.quoted); property lists have "
                    + PropertyListElement.allCases.map(\.rawValue).joined(separator: ", ")
            }
        case .elementInText(let name, let outer):
            "the element \(name.quoted) inside a \(outer), which holds text only; write < as &lt;"
        case .strayText(let outer): "text between the elements of the \(outer)"
        case .keyInArray: "a key in an array; only dicts have keys"
        case .keyAfterKey(let first): "a key where the value of \(first.quoted) was expected"
        case .keyWithoutValue(let key): "the key \(key.quoted) has no value"
        case .valueWithoutKey(nil): "a value without a key"
        case .valueWithoutKey(let key?): "a value without a key: \(key.quoted) before it already has a value"
        case .badValue(let text, let element): "\(text.quoted) is not \(Self.expectation(of: element))"
        }
    }

    private static func expectation(of element: String) -> String {
        switch element {
        case "integer": "an integer"
        case "real": "a number"
        case "date": "a date like 2024-12-31T23:59:59Z"
        case "data": "Base64"
        default: "allowed in <\(element)/>, which must be empty"
        }
    }
}
