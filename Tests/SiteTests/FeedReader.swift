import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The entries of an Atom feed as a feed reader parses them.
final class FeedReader: NSObject, XMLParserDelegate {
    struct Entry {
        var texts: [String: String] = [:]
        var links: [(relation: String, address: String)] = []
    }

    private(set) var feed = Entry()
    private(set) var entries: [Entry] = []
    private var text = ""
    private var isInEntry = false

    static func read(_ bytes: [UInt8]) throws -> FeedReader {
        let reader = FeedReader()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = reader
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
        return reader
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        if name == "entry" {
            entries.append(Entry())
            isInEntry = true
        }
        guard name == "link", let relation = attributes["rel"], let address = attributes["href"] else { return }
        if isInEntry {
            entries[entries.count - 1].links.append((relation, address))
        } else {
            feed.links.append((relation, address))
        }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "entry" {
            isInEntry = false
        } else if isInEntry {
            entries[entries.count - 1].texts[name] = text
        } else {
            feed.texts[name] = text
        }
    }
}
