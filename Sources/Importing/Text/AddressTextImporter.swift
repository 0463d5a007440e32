internal import Addresses
internal import Manifest

/// Reads a text of addresses: one a line, after an http(s) address a name. Empty lines and those that begin with #
/// are left out.
struct AddressTextImporter {
    let base: SourceBase

    func list(of text: [UInt8]) throws(ImportError) -> ImportedList {
        var photos: [ImportedPhoto] = []
        var skipped = 0
        for line in text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let line = WhiteSpace.trimmed(String(decoding: line, as: UTF8.self))
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard photos.count <= ImportLimits.photos else { break }
            let (address, name) = Self.parts(line)
            guard Self.isAddress(address), let address = base.address(ofWritten: address) else {
                skipped += 1
                continue
            }
            photos.append(ImportedPhoto(name: name, address: address))
        }
        let warning = "\(skipped) of its lines have no address that a list can name"
        return ImportedList(photos: photos, warnings: skipped == 0 ? [] : [warning])
    }

    /// Whether a line means an address and is not a sentence: a path is told by the ending of its name.
    private static func isAddress(_ text: String) -> Bool {
        URLScheme.of(text) != nil || text.hasPrefix("//") || PictureName.isPicture(String(text.prefix { $0 != "?" }))
    }

    /// No URL has white space in it; a path may.
    private static func parts(_ line: String) -> (address: String, name: String?) {
        let start = line.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"),
            let space = line.firstIndex(where: \.isWhitespace)
        else { return (line, nil) }
        return (String(line[..<space]), String(line[space...]))
    }
}
