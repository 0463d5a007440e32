internal import Manifest

/// Collects the entries of a feed from its XML, one by one.
final class FeedReader: MarkupHandler {
    private(set) var photos: [ImportedPhoto] = []
    private(set) var withoutPicture = 0

    private var item: FeedItem?
    private var channelRights: String?
    private var channelAuthor: String?
    /// The names of the open elements, and the base that applies in each.
    private var path: [(name: String, base: SourceBase)]
    private var captured: [UInt8]?
    private var attributes: [String: String] = [:]
    private var group: Int?
    private var groups = 0
    /// Whether a `media:content` with a picture is open. The picture is then the last one of the item.
    private var isInMedia = false

    private static let items: Set<String> = ["item", "entry"]
    /// The elements whose text is read.
    private static let texts: Set<String> = [
        "title", "media:title", "description", "summary", "subtitle", "content:encoded", "content", "link", "guid",
        "pubDate", "published", "updated", "dc:date", "author", "name", "dc:creator", "media:credit", "category",
        "dc:subject", "media:keywords", "media:license", "cc:license", "dc:rights", "rights", "media:copyright",
        "copyright", "media:description", "url",
    ]

    init(base: SourceBase) {
        path = [("", base)]
    }

    private var base: SourceBase { path.last?.base ?? path[0].base }

    func start(_ name: String, _ attributes: [String: String], line: Int) {
        let name = Self.local(name)
        path.append((name, attributes["xml:base"].map(base.rebased) ?? base))
        if Self.items.contains(name) {
            item = FeedItem(base: base)
            return
        }
        if name == "xhtml:img" || name == "img", item != nil {
            let reader = PageReader(base: base)
            reader.start("img", attributes, line: line)
            item?.inline += reader.pictures
            return
        }
        startMedia(name, attributes)
        // The name of an author can follow the mail address, which is within the author's element too.
        let isOfAuthor = name == "name" && path.dropLast().last?.name == "author"
        guard Self.texts.contains(name), captured == nil || name != "name" || isOfAuthor else { return }
        // XHTML within a text has elements of its own, which do not start another text.
        guard !name.hasPrefix("xhtml:") else { return }
        captured = []
        self.attributes = attributes
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard let count = captured?.count, count < ImportLimits.fieldLength else { return }
        captured?.append(contentsOf: text)
    }

    func end(_ name: String) {
        let name = Self.local(name)
        let base = base
        if path.count > 1 { path.removeLast() }
        if Self.items.contains(name), let item {
            finish(item)
            return
        }
        if name == "media:group" { group = nil }
        if name == "media:content" { isInMedia = false }
        guard Self.texts.contains(name), let bytes = captured else { return }
        captured = nil
        let text = WhiteSpace.trimmed(String(decoding: bytes, as: UTF8.self))
        item?.base = base
        take(text, of: name)
    }

    /// The name of an element without Atom's prefix, because some feeds use Atom's elements without a namespace.
    private static func local(_ name: String) -> String {
        name.hasPrefix("atom:") ? String(name.dropFirst("atom:".count)) : name
    }

    private func finish(_ item: FeedItem) {
        self.item = nil
        guard photos.count <= ImportLimits.photos else { return }
        let found = item.photos(rights: channelRights, author: channelAuthor)
        if found.isEmpty { withoutPicture += 1 }
        photos += found
    }

    private func startMedia(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "media:group":
            groups += 1
            group = groups
        case "media:content":
            guard let address = attributes["url"], Self.isPicture(address, attributes) else { return }
            item?.media.append(
                FeedItem.Media(
                    address: address, width: Double(attributes["width"] ?? "") ?? 0,
                    size: Double(attributes["fileSize"] ?? "") ?? 0, group: group))
            isInMedia = item != nil
        case "media:thumbnail":
            guard let address = attributes["url"] else { return }
            item?.thumbnails.append(FeedItem.Media(address: address, width: Double(attributes["width"] ?? "") ?? 0))
        case "enclosure":
            guard let address = attributes["url"], Self.isPicture(address, attributes) else { return }
            item?.enclosures.append(address)
        case "itunes:image": if let address = attributes["href"] { setIfMissing(\.image, address) }
        case "link": startLink(attributes)
        case "category":
            if let term = attributes["label"] ?? attributes["term"] { tag(term) }
        case "media:license", "cc:license":
            if let address = attributes["href"] ?? attributes["rdf:resource"] { item?.license = address }
        default: break
        }
    }

    /// Reads a link of Atom, which has an address but no text.
    private func startLink(_ attributes: [String: String]) {
        guard let address = attributes["href"] else { return }
        switch attributes["rel"] ?? "alternate" {
        case "alternate": setIfMissing(\.link, address)
        case "enclosure": if Self.isPicture(address, attributes) { item?.enclosures.append(address) }
        case "license": setIfMissing(\.license, address)
        default: break
        }
    }

    private static func isPicture(_ address: String, _ attributes: [String: String]) -> Bool {
        let type = attributes["type"]?.lowercased() ?? ""
        if type.hasPrefix("image/") { return !type.hasPrefix("image/svg") }
        if let medium = attributes["medium"]?.lowercased() { return medium == "image" }
        return type.isEmpty && PictureName.isReadable(String(address.prefix { $0 != "?" && $0 != "#" }))
    }

    private func take(_ text: String, of name: String) {
        guard !text.isEmpty else { return }
        guard item != nil else { return takeOfChannel(text, of: name) }
        switch name {
        case "title" where path.last?.name != "image": setIfMissing(\.title, text)
        case "media:title": setMedia(\.title, else: \.title, text)
        case "media:description": setMedia(\.description, else: \.mediaDescription, text)
        case "media:credit": setMedia(\.credit, else: \.credit, text)
        case "description", "summary", "subtitle": setIfMissing(\.summary, text)
        case "content:encoded", "content": setIfMissing(\.content, text)
        case "link": setIfMissing(\.link, text)
        case "guid": if attributes["isPermaLink"] != "false" { setIfMissing(\.link, text) }
        case "pubDate", "published", "dc:date": item?.date = text
        case "updated": setIfMissing(\.date, text)
        case "author", "dc:creator", "name": setIfMissing(\.author, Self.person(text))
        case "category", "dc:subject": tag(text)
        case "media:keywords": FieldReader.tags(text).forEach(tag)
        case "media:license", "cc:license": setIfMissing(\.license, text)
        case "dc:rights", "rights", "media:copyright", "copyright": setIfMissing(\.rights, text)
        case "url" where path.last?.name == "image": item?.image = text
        default: break
        }
    }

    private func takeOfChannel(_ text: String, of name: String) {
        switch name {
        case "copyright", "rights", "dc:rights", "media:copyright", "cc:license":
            channelRights = channelRights ?? PlainText.shortened(text, to: ImportLimits.textLength)
        case "name" where path.last?.name == "author":
            channelAuthor = channelAuthor ?? PlainText.shortened(text, to: ImportLimits.textLength)
        default: break
        }
    }

    /// Adds a tag to the entry. Every picture of the entry gets all of its tags.
    private func tag(_ text: String) {
        guard let count = item?.tags.count, count < ImportLimits.tags,
            let tag = PlainText.shortened(text, to: ImportLimits.nameLength)
        else { return }
        item?.tags.append(tag)
    }

    /// Sets a property of the entry unless an earlier element has set it.
    private func setIfMissing(_ property: WritableKeyPath<FeedItem, String?>, _ text: String) {
        if item?[keyPath: property] == nil { item?[keyPath: property] = text }
    }

    /// Sets a property of the picture whose element is open or, if there is none, of the whole entry.
    private func setMedia(
        _ ofPicture: WritableKeyPath<FeedItem.Media, String?>, else ofItem: WritableKeyPath<FeedItem, String?>,
        _ text: String
    ) {
        if isInMedia, let last = item?.media.indices.last {
            item?.media[last][keyPath: ofPicture] = text
        } else {
            setIfMissing(ofItem, text)
        }
    }

    /// The name in a text such as "mail@example.org (Name)".
    private static func person(_ text: String) -> String {
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return text }
        return String(text[text.index(after: open)...].dropLast())
    }
}
