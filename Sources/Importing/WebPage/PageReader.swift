internal import Manifest

/// Collects the pictures of an HTML page.
final class PageReader: MarkupHandler {
    /// A picture of the page, with the texts and the link that belong to it.
    struct Picture {
        var address: String
        var alt: String?
        var caption: String?
        var link: String?
    }

    private(set) var pictures: [Picture] = []
    /// The address of the licence that the page states by `rel=license`.
    private(set) var license: String?
    /// The number of small symbols, drawings, and pictures within the page itself.
    private(set) var skipped = 0

    private var base: SourceBase
    private var hasBase = false
    /// The links around the current element; nil for an anchor without a link.
    private var anchors: [String?] = []
    /// The largest candidate of the `picture` element that is open.
    private var source: Srcset.Candidate?
    /// For each open figure, the number of pictures before it, and whether it has its caption, which is the first one.
    private var figures: [(first: Int, isCaptioned: Bool)] = []
    private var captionBytes: [UInt8]?
    /// The caption of a figure whose picture has not come yet.
    private var captionBefore: String?

    /// The largest width and height of a symbol or a tracking pixel, in pixels.
    private static let symbolSize = 48.0
    private static let readableTypes: Set<String> = ["image/jpeg", "image/png", "image/gif", "image/webp"]

    init(base: SourceBase) {
        self.base = base
    }

    func start(_ name: String, _ attributes: [String: String], line: Int) {
        switch name {
        case "base": rebase(attributes["href"])
        case "a", "area":
            anchors.append(attributes["href"].flatMap { $0.utf8.count <= ImportLimits.addressLength ? $0 : nil })
            readLicense(attributes)
        case "link": readLicense(attributes)
        case "picture": source = nil
        case "source": addSource(attributes)
        case "figure": figures.append((pictures.count, false))
        case "figcaption": captionBytes = []
        case "img", "amp-img": add(attributes)
        default: break
        }
    }

    func end(_ name: String) {
        switch name {
        case "a", "area": _ = anchors.popLast()
        case "picture": source = nil
        case "figcaption": endCaption()
        case "figure":
            _ = figures.popLast()
            captionBefore = nil
        default: break
        }
    }

    func text(_ text: UnsafeBufferPointer<UInt8>) {
        guard let count = captionBytes?.count, count < ImportLimits.fieldLength else { return }
        captionBytes?.append(contentsOf: text)
    }

    private func rebase(_ href: String?) {
        guard !hasBase, let href else { return }
        base = base.rebased(to: href)
        hasBase = true
    }

    private func readLicense(_ attributes: [String: String]) {
        let relations = attributes["rel"]?.lowercased().split(separator: " ") ?? []
        guard license == nil, relations.contains("license"), let href = attributes["href"] else { return }
        license = base.link(href)
    }

    private func addSource(_ attributes: [String: String]) {
        guard attributes["type"].map({ Self.readableTypes.contains($0.lowercased()) }) ?? true,
            let set = attributes["srcset"] ?? attributes["data-srcset"]
        else { return }
        source = ((source.map { [$0] } ?? []) + Srcset(set).candidates.filter(\.isUsable)).largest
    }

    private func add(_ attributes: [String: String]) {
        guard pictures.count <= ImportLimits.photos else { return }
        guard !Self.isSymbol(attributes) else {
            skipped += 1
            return
        }
        let own = (attributes["srcset"] ?? attributes["data-srcset"]).map { Srcset($0).candidates } ?? []
        let written = ["src", "data-src", "data-original", "data-lazy-src"].lazy
            .compactMap { attributes[$0] }.first { !$0.isEmpty && !$0.lowercased().hasPrefix("data:") }
        let plain = written.map { [Srcset.Candidate(address: $0, width: nil, density: 1)] } ?? []
        let anchor = anchors.last.flatMap { $0 }
        let isLarger = anchor.map(Self.isPicture) == true
        let candidates = (plain + own).filter(\.isUsable) + (source.map { [$0] } ?? [])
        let reference = isLarger ? anchor : candidates.largest?.address
        guard let reference, let address = base.address(of: reference), !Self.isDrawing(address) else {
            skipped += 1
            return
        }
        var picture = Picture(address: address)
        picture.alt = attributes["alt"].flatMap(Self.text)
        picture.caption = captionBefore ?? attributes["title"].flatMap(Self.text)
        if !isLarger, let anchor { picture.link = base.link(anchor) }
        pictures.append(picture)
    }

    private func endCaption() {
        guard let bytes = captionBytes else { return }
        captionBytes = nil
        guard let (first, isCaptioned) = figures.last, !isCaptioned,
            let caption = PlainText.shortened(String(decoding: bytes, as: UTF8.self), to: ImportLimits.textLength)
        else { return }
        figures[figures.count - 1].isCaptioned = true
        // A caption can come before its picture.
        if first == pictures.count { captionBefore = caption }
        for index in pictures.indices.dropFirst(first) { pictures[index].caption = caption }
    }

    private static func text(_ text: String) -> String? {
        let text = WhiteSpace.collapsed(text)
        return text.isEmpty ? nil : text
    }

    private static func isSymbol(_ attributes: [String: String]) -> Bool {
        guard let width = attributes["width"].flatMap(Double.init),
            let height = attributes["height"].flatMap(Double.init)
        else { return false }
        return width <= symbolSize && height <= symbolSize
    }

    private static func lastComponent(_ address: String) -> Substring {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last ?? ""
    }

    private static func isDrawing(_ address: String) -> Bool { lastComponent(address).lowercased().hasSuffix(".svg") }

    /// Whether a link leads to a picture and not to a page about it. The address of a wiki's page ends like that of the
    /// file that it describes, but with a namespace in front ("File:Lake.jpg").
    private static func isPicture(_ href: String) -> Bool {
        let name = lastComponent(href).lowercased()
        return PictureName.isReadable(name) && !name.contains(":") && !name.contains("%3a")
    }
}

extension Srcset.Candidate {
    fileprivate var isUsable: Bool {
        address.utf8.count <= ImportLimits.addressLength && !address.lowercased().hasPrefix("data:")
    }
}
