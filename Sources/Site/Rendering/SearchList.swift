internal import PhotoModel

/// assets/search.<hash>.js: the values by which photos are searched and sorted. There is one text for each kind of
/// value, with a line for each photo. It has a tenth of the size of the records, and the browser can split it in a few
/// calls. A kind of value that no photo has is an empty text.
func searchListScript(_ photos: SitePhotos) -> [UInt8] {
    let kinds = ["name", "slug", "caption", "credit", "album", "tags", "state", "rating", "vote", "date"]
    var texts = [String](repeating: "", count: kinds.count)
    var isUsed = [Bool](repeating: false, count: kinds.count)
    let line = { (index: Int) in values(of: photos[index]) }
    Parallel.forEach(photos.indices, line) { values in
        for (kind, value) in values.enumerated() {
            texts[kind] += value
            texts[kind] += "\n"
            if !value.isEmpty { isUsed[kind] = true }
        }
    }
    var bytes = Array("window.gallerySearch = ".utf8)
    let members = kinds.indices.map { kind in
        (key: kinds[kind], value: JSON.text(isUsed[kind] ? String(texts[kind].dropLast()) : ""))
    }
    JSON.object(members).write(to: &bytes)
    bytes += ";\n".utf8
    return bytes
}

private func values(of photo: SitePhoto) -> [String] {
    let details = photo.details
    let states = [photo.state.rawValue] + (photo.stale == nil ? [] : ["stale"]) + photo.marks.map(\.code.rawValue)
    let state = states.joined(separator: " ")
    let slug = photo.slug == slugInScripts(photo.name) ? "" : SitePath.encoded(photo.slug)
    let texts = [
        photo.name, slug, details.caption, details.credit, photo.album.joined(separator: " / "),
        nil, state, details.rating.map(ratingText), photo.vote?.rawValue, photo.taken ?? details.date,
    ]
    var lines = texts.map { line($0 ?? "") }
    lines[5] = details.tags.map(line).joined(separator: "\t")
    return lines
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
