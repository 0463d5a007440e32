package import PhotoModel

/// Decides by the first bytes of a file whether it can be an original, before the rest has arrived.
package enum OriginalInspection {
    /// To be raised whenever `SniffedFormat` takes for a picture what it did not, or calls something else by another
    /// name: what was refused before is then looked at again.
    package static let edition = 1

    /// The number of first bytes that are inspected.
    package static let bytes = SniffedFormat.inspectedBytes

    /// Why a file that begins with these bytes is no original; nil if it may be one.
    package static func failure(ofStart start: [UInt8]) -> Failure? {
        switch SniffedFormat(start: start) {
        case .picture: nil
        case .otherPicture(let name): .unsupportedFormat(name)
        case .notAPicture(let found): .notAnImage(found)
        }
    }
}
