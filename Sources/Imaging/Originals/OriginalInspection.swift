package import PhotoModel

/// Decides by the first bytes of a file, before the rest has arrived, whether the file can be an original.
package enum OriginalInspection {
    /// The version of the inspection. It must be raised whenever `SniffedFormat` accepts files as pictures that it
    /// refused before, or gives a format another name; files that were refused are then inspected again.
    package static let edition = 1

    /// The number of bytes at the start of a file that are inspected.
    package static let bytes = SniffedFormat.inspectedBytes

    /// Why a file that starts with these bytes can't be an original; nil if it can.
    package static func failure(ofStart start: [UInt8]) -> Failure? {
        switch SniffedFormat(start: start) {
        case .picture: nil
        case .otherPicture(let name): .unsupportedFormat(name)
        case .notAPicture(let found): .notAnImage(found)
        }
    }
}
