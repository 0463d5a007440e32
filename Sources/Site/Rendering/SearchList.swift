internal import PhotoModel

/// assets/search.<hash>.js: the values by which photos are searched and sorted. There is one text for each kind of
/// value, with a line for each photo. It has a tenth of the size of the records, and the browser can split it in a few
/// calls. A kind of value that no photo has is an empty text.
struct SearchList: Sendable {
    /// The kinds in the order of the texts. The name of a case is the key of its text.
    private enum Kind: Int, CaseIterable {
        case name, slug, caption, credit, album, tags, state, rating, vote, date
    }

    /// The text of each kind, escaped for JSON. Every line ends in a line break.
    private var texts = [[UInt8]](repeating: [], count: Kind.allCases.count)
    /// Whether any photo has a value of the kind.
    private var isUsed = [Bool](repeating: false, count: Kind.allCases.count)

    private static let lineBreak: StaticString = #"\n"#

    init() {}

    /// The lines of all photos.
    init(_ photos: SitePhotos) {
        let list = { @Sendable (indices: Range<Int>) in
            var list = SearchList()
            for index in indices { list.add(photos[index]) }
            return [list]
        }
        Parallel.forEach(parts: photos.indices, list) { append($0) }
    }

    /// Adds a line for a photo to each text.
    mutating func add(_ photo: SitePhoto) {
        let details = photo.details
        add(line(photo.name), to: .name)
        add(photo.slug == slugInScripts(photo.name) ? nil : SitePath.encoded(photo.slug), to: .slug)
        add(details.caption.map(line), to: .caption)
        add(details.credit.map(line), to: .credit)
        add(line(photo.album.joined(separator: " / ")), to: .album)
        add(details.tags.map(line).joined(separator: "\t"), to: .tags)
        add(states(of: photo), to: .state)
        add(details.rating.map(ratingText), to: .rating)
        add(photo.vote?.rawValue, to: .vote)
        add((photo.taken ?? details.date).map(line), to: .date)
    }

    private mutating func add(_ value: String?, to kind: Kind) {
        if let value, !value.isEmpty {
            isUsed[kind.rawValue] = true
            JSON.writeEscaped(value, to: &texts[kind.rawValue])
        }
        texts[kind.rawValue] += Self.lineBreak.utf8Bytes
    }

    /// Adds the lines of the photos that follow.
    mutating func append(_ other: SearchList) {
        for number in texts.indices {
            texts[number] += other.texts[number]
            isUsed[number] = isUsed[number] || other.isUsed[number]
        }
    }

    /// The content of the file.
    var script: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.reduce(0) { $0 + $1.count } + 256)
        bytes += "window.gallerySearch = {".utf8
        for (number, kind) in Kind.allCases.enumerated() {
            bytes += "\(number > 0 ? "," : "")\"\(kind)\":\"".utf8
            if isUsed[number] { bytes.append(contentsOf: texts[number].dropLast(Self.lineBreak.utf8CodeUnitCount)) }
            bytes += "\"".utf8
        }
        bytes += "};\n".utf8
        return bytes
    }
}

/// The state of a photo, and the codes of its marks.
private func states(of photo: SitePhoto) -> String {
    guard photo.stale != nil || !photo.marks.isEmpty else { return photo.state.rawValue }
    let stale = photo.stale == nil ? [] : ["stale"]
    return ([photo.state.rawValue] + stale + photo.marks.map(\.code.rawValue)).joined(separator: " ")
}

/// The slug that the scripts derive from a name, so that the list only needs the slugs that differ; nil for a name that
/// is not ASCII.
private func slugInScripts(_ name: String) -> String? {
    var slug: [UInt8] = []
    for byte in name.utf8 {
        switch byte {
        case 0x80...: return nil
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): slug.append(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): slug.append(byte)
        default: if slug.last != UInt8(ascii: "-") { slug.append(UInt8(ascii: "-")) }
        }
    }
    return String(decoding: slug, as: UTF8.self)
}

/// The text with control characters replaced by spaces, because line breaks and tabs separate values.
private func line(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(decoding: text.utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
}
