internal import Foundation
internal import Manifest
internal import PhotoModel

/// Identifies an entry of a source, of its record or of a list by digests. An address can occur in several albums, and
/// in one album with several names.
struct EntryIdentity: Hashable {
    let address: String
    let place: Place

    /// The album of an entry, and its name there.
    struct Place: Hashable {
        let album: String
        let name: String

        /// Few entries share an address, so that few digits tell them apart.
        private static let digits = 4

        init(album: [String], name: String) {
            // No name contains a line break.
            self.album = Self.digest(album.map(Self.asRead).joined(separator: "\n"))
            self.name = Self.digest(Self.asRead(name))
        }

        /// Parses the text of a place in a record.
        init?(_ text: String) {
            guard text.utf8.count == 2 * Self.digits, EntryIdentity.isHexadecimal(text) else { return nil }
            album = String(text.prefix(Self.digits))
            name = String(text.suffix(Self.digits))
        }

        var text: String { album + name }

        /// A name as it is read from the list to which it was written.
        private static func asRead(_ name: String) -> String { WhiteSpace.collapsed(PlainText.allowed(name)) }

        private static func digest(_ text: String) -> String { String(Digest(of: text).hex.prefix(digits)) }
    }

    init(address: String, place: Place) {
        self.address = address
        self.place = place
    }

    /// - Parameters:
    ///   - name: the name; nil if the entry is named after its file.
    ///   - folder: the absolute path of the list's folder.
    init(address: String, album: [String], name: String?, in folder: String) {
        let name = ImportedPhoto(name: name, address: address).nameAsKey
        self.init(
            address: ImportRecord.digest(ofAddress: address, in: folder), place: Place(album: album, name: name))
    }

    static func isHexadecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
