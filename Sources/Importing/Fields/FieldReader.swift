internal import Imaging
internal import Manifest
internal import PhotoModel

/// Makes photos from named fields.
struct FieldReader {
    /// A photo, and the fields whose values it can't have.
    struct Entry {
        var photo: ImportedPhoto
        let unusable: [FieldNames.Field]
    }

    let base: SourceBase

    /// - Parameter value: a closure that returns the text of a field, or nil if there is none.
    /// - Returns: nil if a list can't contain the address.
    func entry(address: String?, album: [String] = [], _ value: (FieldNames.Field) -> String?) -> Entry? {
        guard let address = address.flatMap(base.address(ofWritten:)) else { return nil }
        func text(_ field: FieldNames.Field) -> String? {
            value(field).map { PlainText.ofField($0, keepsLines: field == .caption) }
                .flatMap { WhiteSpace.trimmed($0).isEmpty ? nil : $0 }
        }
        var unusable: [FieldNames.Field] = []
        func usable<Value>(_ field: FieldNames.Field, _ convert: (String) -> Value?) -> Value? {
            guard let text = value(field).map(WhiteSpace.trimmed), !text.isEmpty else { return nil }
            let converted = convert(text)
            if converted == nil { unusable.append(field) }
            return converted
        }
        var details = PhotoDetails()
        details.caption = text(.caption)
        details.alt = text(.alt)
        details.credit = text(.credit)
        details.license = text(.license)
        details.link = usable(.link, base.link)
        details.date = text(.date).map { ImportedDate.text(WhiteSpace.trimmed($0)) }
        details.tags = text(.tags).map(Self.tags) ?? []
        details.rating = usable(.rating) { Double($0).flatMap { (0...5).contains($0) ? $0 : nil } }
        var photo = ImportedPhoto(album: album + Self.album(text(.album)), address: address, details: details)
        photo.name = text(.name)
        if let filter = text(.filter) {
            do {
                _ = try FilterChain(parsing: filter)
                photo.filter = filter
            } catch {
                unusable.append(.filter)
            }
        }
        return Entry(photo: photo, unusable: unusable)
    }

    static func tags(_ text: String) -> [String] {
        let separator: (Character) -> Bool =
            text.contains(where: { ";|".contains($0) }) ? { ";|".contains($0) } : { $0 == "," }
        return text.split(whereSeparator: separator).map { WhiteSpace.collapsed(String($0)) }.filter { !$0.isEmpty }
    }

    /// The albums in a text: "Travel/Iceland" stands for two albums, one inside the other.
    private static func album(_ text: String?) -> [String] {
        (text ?? "").split(separator: "/").map { WhiteSpace.collapsed(String($0)) }.filter { !$0.isEmpty }
    }
}
