internal import Manifest

/// Reads a CSV whose first row contains the names of the columns.
struct CSVImporter {
    let base: SourceBase

    func list(of text: [UInt8]) throws(ImportError) -> ImportedList {
        var parser = CSVParser(text)
        guard let columns = try parser.next() else { throw .empty }
        let names = FieldNames(columns)
        guard let address = names.address else { throw .noAddressColumn(columns) }
        var reader = FieldReader(base: base)
        var photos: [ImportedPhoto] = []
        while let row = try parser.next(), photos.count <= ImportLimits.photos {
            func value(_ index: Int?) -> String? { index.flatMap { $0 < row.count ? row[$0] : nil } }
            let picture = value(address).flatMap(names.picture(at:))
            if let photo = reader.photo(address: picture, { value(names.index(of: $0)) }) { photos.append(photo) }
        }
        return ImportedList(photos: photos, warnings: reader.warnings)
    }
}
