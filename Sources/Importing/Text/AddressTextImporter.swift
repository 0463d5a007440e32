internal import Addresses
internal import Manifest

/// Reads a text with one address on each line. An http(s) address can be followed by a name. Empty lines and lines that
/// start with # are skipped.
struct AddressTextImporter {
    let base: SourceBase

    func list(of text: [UInt8]) throws(ImportError) -> ImportedList {
        var photos: [ImportedPhoto] = []
        var skipped = Omission()
        var (rest, number) = (text[...], 0)
        while !rest.isEmpty, photos.count <= ImportLimits.photos {
            let bytes = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            rest = rest[bytes.endIndex...]
            rest = rest.dropFirst(rest.starts(with: "\r\n".utf8) ? 2 : 1)
            number += 1
            let line = WhiteSpace.trimmed(String(decoding: bytes, as: UTF8.self))
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let (address, name) = Self.parts(line)
            guard Self.isAddress(address), let address = base.address(ofWritten: address) else {
                skipped.add(at: SourcePlace(unit: .line, number: number))
                continue
            }
            photos.append(ImportedPhoto(name: name, address: address))
        }
        let warning = "\(skipped.count) of its lines have no address that a list can name\(skipped.shown)"
        return ImportedList(photos: photos, warnings: skipped.count == 0 ? [] : [warning])
    }

    /// Whether a text is an address and not a sentence. A path is recognised by its extension.
    private static func isAddress(_ text: String) -> Bool {
        URLScheme.of(text) != nil || text.hasPrefix("//") || PictureName.isPicture(String(text.prefix { $0 != "?" }))
    }

    /// The address and the name on a line. A URL contains no white space, but a path can.
    private static func parts(_ line: String) -> (address: String, name: String?) {
        let start = line.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"),
            let space = line.firstIndex(where: \.isWhitespace)
        else { return (line, nil) }
        return (String(line[..<space]), String(line[space...]))
    }
}
