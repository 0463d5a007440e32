internal import PhotoModel

/// A photo's record: the data that the scripts of the pages have of a photo.
///
/// Members without a value are omitted. Paths are relative to the site and percent-encoded. Sentences and dates are in
/// the language of the pages, and `sortDate` is the date for sorting.
func photoData(_ photo: SitePhoto, _ language: PageLanguage) -> JSON {
    let details = photo.details
    let texts: [(String, String?)] = [
        ("name", photo.name), ("page", SitePath.encoded(SitePath.photo(photo.slug))), ("state", photo.state.rawValue),
        ("since", TimeView(photo.since, language).text), ("reason", photo.reason.map(language.sentence)),
        ("stale", photo.stale.map { language.sentence($0.reason) }),
        ("mark", photo.foremostMark?.code.rawValue), ("marks", markTexts(photo, language)),
        ("alt", details.alt), ("caption", details.caption), ("credit", details.credit), ("license", details.license),
        ("date", details.date.map { TimeView(manifestDate: $0, language).text }),
        ("sortDate", photo.taken ?? details.date), ("taken", photo.taken.map(language.localTime)),
        ("camera", photo.camera), ("lens", photo.lens), ("exposure", photo.exposure),
        ("rating", details.rating.map(ratingText)), ("vote", photo.vote?.rawValue), ("source", photo.source),
        ("downloaded", photo.downloaded.map { TimeView($0, language).text }),
        ("placeholderColour", photo.placeholderColour), ("downloadedAt", photo.downloaded?.description),
        ("recoveredAt", photo.recovered?.description),
        ("sha256", photo.sha256.map { String($0.prefix(12)) }),
    ]
    var members: [(key: String, value: JSON)] = []
    members.reserveCapacity(texts.count)
    for case (let key, let text?) in texts { members.append((key, .text(text))) }
    for (key, list) in [("album", photo.album), ("tags", details.tags)] where !list.isEmpty {
        members.append((key, .list(list.map { .text($0) })))
    }
    if let width = photo.width, let height = photo.height {
        members.append(("size", .list([.number(width), .number(height)])))
    }
    if !photo.images.isEmpty { members.append(("images", .list(photo.images.map(picture)))) }
    if let original = photo.original { members.append(("original", picture(original))) }
    return .object(members)
}

/// The marks of a photo, each with its word, its time and its sentence; nil for a photo without marks.
private func markTexts(_ photo: SitePhoto, _ language: PageLanguage) -> String? {
    guard !photo.marks.isEmpty else { return nil }
    return photo.marks.map(language.text(of:)).joined(separator: " ")
}

/// The width, height, path and bytes of a picture, and the path of its WebP if there is one.
private func picture(_ image: SiteImage) -> JSON {
    let links = [image.path, image.webp?.path].compactMap(\.self).map { path in
        JSON.text(SitePath.link(toPicture: path, root: ""))
    }
    return .list([.number(image.width), .number(image.height), links[0], .number(image.bytes)] + links.dropFirst())
}

/// A rating as people read it: "4" or "4.5".
func ratingText(_ rating: Double) -> String {
    Int(exactly: rating).map { String($0) } ?? String(rating)
}
