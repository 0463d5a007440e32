internal import Imaging
internal import Manifest
internal import PhotoModel

/// Makes photos from named fields.
struct FieldReader {
    let base: SourceBase
    /// The number of entries without an address that a list can contain, and the number of invalid filters.
    private(set) var skipped = 0
    private(set) var invalidFilters = 0

    init(base: SourceBase) {
        self.base = base
    }

    /// - Parameter value: a closure that returns the text of a field, or nil if there is none.
    mutating func photo(address: String?, album: [String] = [], _ value: (FieldNames.Field) -> String?)
        -> ImportedPhoto?
    {
        guard let address = address.flatMap(base.address(ofWritten:)) else {
            skipped += 1
            return nil
        }
        func text(_ field: FieldNames.Field) -> String? {
            value(field).map(PlainText.ofField).flatMap { WhiteSpace.trimmed($0).isEmpty ? nil : $0 }
        }
        var details = PhotoDetails()
        details.caption = text(.caption)
        details.alt = text(.alt)
        details.credit = text(.credit)
        details.license = text(.license)
        details.link = value(.link).flatMap(base.link)
        details.date = text(.date).map { ImportedDate.text(WhiteSpace.trimmed($0)) }
        details.tags = text(.tags).map(Self.tags) ?? []
        details.rating = value(.rating).flatMap { Double(WhiteSpace.trimmed($0)) }.flatMap {
            (0...5).contains($0) ? $0 : nil
        }
        var photo = ImportedPhoto(album: album + Self.album(text(.album)), address: address, details: details)
        photo.name = text(.name)
        if let filter = text(.filter) {
            do {
                _ = try FilterChain(parsing: filter)
                photo.filter = filter
            } catch {
                invalidFilters += 1
            }
        }
        return photo
    }

    /// Counts entries without an address.
    mutating func skip(_ count: Int) { skipped += count }

    var warnings: [String] {
        var warnings: [String] = []
        if skipped > 0 { warnings.append("\(skipped) of its entries have no address that a list can name") }
        if invalidFilters > 0 {
            warnings.append("\(invalidFilters) filters are left out, because they are none of gallerygen's")
        }
        return warnings
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
