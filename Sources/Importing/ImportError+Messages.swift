internal import Manifest

extension ImportError {
    /// The message for people: what happened, where, and what to do.
    /// - Parameter shown: the name of the source in messages.
    package func message(for shown: String) -> String {
        switch self {
        case .tooLarge(let limit): "\(shown): larger than \(limit / 1_000_000) MB; split it and import the parts"
        case .tooManyPhotos(let limit): "\(shown): more than \(limit) photos; split it and import the parts"
        case .listTooLarge(let limit):
            "\(shown): the list would be larger than \(limit / 1_000_000) MB; split the source and import the parts"
        case .empty: "\(shown): empty"
        case .noPhotos(let format): "\(shown): \(format.name) without a picture that can be listed"
        case .onlyPrivateAddresses:
            "\(shown): all its addresses are on private servers; save it as a file and import that"
        case .notAList(let name):
            "\(shown): this is \(name); a list is made of a folder, text, CSV, JSON, a feed, a web page or IIIF"
        case .propertyList: "\(shown): this is a property list already; build it with gallerygen build"
        case .picture: "\(shown): this is a picture; import the folder it is in"
        case .unreadableFolder(let message): "\(shown): it can't be read: \(message)"
        case .csv(let fault, let line, let column): "\(shown):\(line):\(column): \(fault.explanation)"
        case .noAddressColumn(let columns):
            "\(shown):1:1: no column has addresses; name one 'url', 'image' or 'file' (found: "
                + columns.prefix(20).map(\.quoted).joined(separator: ", ") + ")"
        case .json(let fault, let line, let column): "\(shown):\(line):\(column): \(fault.explanation)"
        case .markup(let fault, let line): "\(shown):\(line): \(fault.explanation)"
        case .noPhotosInBatch(let next): "\(shown): no picture in this batch: \(MediaWikiImporter.notAll(next))"
        case .notIIIF: "\(shown): neither a IIIF manifest nor a collection"
        case .noManifest(let failures):
            "\(shown): no manifest of this IIIF collection could be read"
                + failures.prefix(5).map { "\n  " + $0.printable }.joined()
        case .listIsNotUTF8:
            "\(shown): only a list in UTF-8 can be changed; save it in UTF-8, with encoding=\"UTF-8\" in its first line"
        case .unreadableResult(let detail): "internal error: the list that was made is not read again: \(detail)"
        }
    }
}

extension SourceFormat {
    /// The name of the format, with its article: "a folder".
    fileprivate var name: String {
        switch self {
        case .folder: "a folder"
        case .text: "a text"
        case .csv: "a CSV"
        case .json: "JSON"
        case .feed: "a feed"
        case .webPage: "a web page"
        case .iiif: "a IIIF manifest"
        case .collection: "a IIIF collection"
        case .mediaWiki: "a response of MediaWiki's API"
        case .status: "a gallery's status.json"
        }
    }
}

extension CSVFault {
    fileprivate var explanation: String {
        switch self {
        case .openQuote: "this quote never ends; close it, or write \"\" for a quote inside a field"
        case .textAfterQuote: "text after the end of a quoted field; write \"\" for a quote inside it"
        case .tooManyColumns(let limit): "more than \(limit) columns"
        case .longField(let limit): "a field of more than \(limit / 1_000_000) million bytes"
        }
    }
}

extension JSONFault {
    fileprivate var explanation: String {
        switch self {
        case .unexpected(let text): "broken JSON: unexpected \(text.quoted)"
        case .endOfText: "broken JSON: the end is missing"
        case .badNumber: "broken JSON: this is no number"
        case .badEscape: "broken JSON: an escape that JSON does not have"
        case .controlCharacter: "broken JSON: a control character in a text; write it as \\u and four digits"
        case .tooDeep(let limit): "values nest more than \(limit) deep"
        case .tooManyValues(let limit): "more than \(limit / 1_000_000) million values"
        }
    }
}

extension MarkupFault {
    fileprivate var explanation: String {
        switch self {
        case .broken(let message): "broken XML: \(message.printable)"
        case .tooDeep(let limit): "elements nest more than \(limit) deep"
        case .tooManyAttributes(let limit): "an element with more than \(limit) attributes"
        case .longTag: "a tag of more than a megabyte"
        case .declarations: "more than 32 kB of declarations in the DOCTYPE"
        }
    }
}
