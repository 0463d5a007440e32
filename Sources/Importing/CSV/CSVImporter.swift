internal import Manifest

/// Reads a CSV whose first row contains the names of the columns.
struct CSVImporter {
    let base: SourceBase

    func list(of text: [UInt8]) throws(ImportError) -> ImportedList {
        var parser = CSVParser(text)
        guard let columns = try parser.next() else { throw .empty }
        let names = FieldNames(columns)
        guard let address = names.address else { throw .noAddressColumn(columns) }
        let reader = FieldReader(base: base)
        var omissions = Omissions()
        var photos: [ImportedPhoto] = []
        while let row = try parser.next(), photos.count <= ImportLimits.photos {
            func value(_ index: Int?) -> String? { index.flatMap { $0 < row.count ? row[$0] : nil } }
            let picture = value(address).flatMap(names.picture(at:))
            let place = SourcePlace(unit: .row, number: parser.rowNumber)
            if let entry = reader.entry(address: picture, { value(names.index(of: $0)) }) {
                photos.append(entry.photo)
                omissions.add(entry.unusable.filter { $0 != .link || names.isLinkNamed }, at: place)
            } else {
                omissions.entries.add(at: place)
            }
        }
        return ImportedList(photos: photos, warnings: omissions.warnings)
    }
}
