internal import Foundation

/// A message that a page sends to the preview over its socket.
package enum PageMessage: Hashable, Sendable, Decodable {
    /// Scrolling has begun.
    case scrolling
    /// The slugs of the photos on the screen, nearest to its middle first.
    case view([String])
    /// A filter chain to try.
    case filter(String)
    /// A filter chain to write into the settings file.
    case saveFilter(String)

    private enum Key: CodingKey { case type, scrolling, photos, chain }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(String.self, forKey: .type) {
        case "view":
            let isScrolling = try values.decode(Bool.self, forKey: .scrolling)
            self = isScrolling ? .scrolling : .view(try values.decode([String].self, forKey: .photos))
        case "filter": self = .filter(try values.decode(String.self, forKey: .chain))
        case "save-filter": self = .saveFilter(try values.decode(String.self, forKey: .chain))
        default:
            throw DecodingError.dataCorruptedError(forKey: .type, in: values, debugDescription: "unknown type")
        }
    }

    /// - Returns: nil for a text that is no message.
    package init?(_ text: String) {
        // A page of another version, or no page at all, sent the text: there is nobody to tell.
        guard let message = try? JSONDecoder().decode(PageMessage.self, from: Data(text.utf8)) else { return nil }
        self = message
    }
}

/// A message that the preview sends to pages.
package enum PreviewMessage: Hashable, Sendable {
    /// The parts of open pages that differ from what the preview has now.
    package enum Part: String, Encodable, Sendable { case pages, styles, scripts }

    /// The first message to a page: the filter chain that is shown, that of the settings, and the number of changes
    /// until now.
    case hello(filter: String, saved: String, revision: Int)
    /// A photo's new card and record, both as JSON.
    case photo(card: [UInt8], record: [UInt8])
    case changed([Part], revision: Int)
    /// A mistake in the list, the settings or the templates. The place is as far as known.
    case mistake(String, file: String?, line: Int?, column: Int?)
    case mended
    /// The filter chain that is shown now.
    case filter(String)
    case filterRefused(String, column: Int?)
    case filterSaved(file: String)
    /// The number of photos that are ready, and the link to those that need attention as HTML, if it is known.
    case progress(ready: Int, total: Int, attention: String? = nil)

    /// The version of the protocol.
    private static let version = 1

    /// The message as a JSON object.
    package var text: String {
        switch self {
        case .hello(let filter, let saved, let revision):
            Self.text(Fields(type: "hello", version: Self.version, revision: revision, filter: filter, saved: saved))
        case .photo(let card, let record):
            #"{"type":"photo","card":"# + String(decoding: card, as: UTF8.self) + #","record":"#
                + String(decoding: record, as: UTF8.self) + "}"
        case .changed(let parts, let revision): Self.text(Fields(type: "changed", revision: revision, what: parts))
        case .mistake(let message, let file, let line, let column):
            Self.text(Fields(type: "mistake", message: message, file: file, line: line, column: column))
        case .mended: Self.text(Fields(type: "mended"))
        case .filter(let chain): Self.text(Fields(type: "filter", chain: chain))
        case .filterRefused(let message, let column):
            Self.text(Fields(type: "filter-refused", message: message, column: column))
        case .filterSaved(let file): Self.text(Fields(type: "filter-saved", file: file))
        case .progress(let ready, let total, let attention):
            Self.text(Fields(type: "progress", ready: ready, total: total, attention: attention))
        }
    }

    /// The fields of all messages. Those without a value are left out.
    private struct Fields: Encodable {
        var type: String
        var version: Int?
        var revision: Int?
        var filter: String?
        var saved: String?
        var what: [Part]?
        var message: String?
        var file: String?
        var line: Int?
        var column: Int?
        var chain: String?
        var ready: Int?
        var total: Int?
        var attention: String?
    }

    private static func text(_ fields: Fields) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(fields), as: UTF8.self)
        } catch {
            preconditionFailure("texts and numbers can always be encoded")
        }
    }
}
