internal import CImageCodecs
internal import Foundation
package import PhotoModel

/// Why derivatives could not be made.
package enum ImagingError: Error, Hashable, Sendable {
    /// The photo is at fault: it would fail again with the same bytes.
    case picture(Failure)
    /// A derivative could not be written.
    case write(path: String, errno: Int32)
    /// The original could not be read. `ENOMEM` means that a library got no memory; `DerivativeMaker` turns it into a
    /// failure of the photo.
    case read(path: String, errno: Int32)
    /// The work was cancelled, because `isCancelled` returned true.
    case cancelled
}

extension ImagingError {
    /// The error for a failure that a codec reports while it reads the original at `path`.
    init(reading path: String, _ failure: UnsafePointer<codec_failure>?) {
        guard let failure = failure?.pointee else {
            self = .read(path: path, errno: ENOMEM)
            return
        }
        self =
            switch failure.status {
            case CODEC_TRUNCATED: .picture(.truncated)
            case CODEC_UNSUPPORTED: .picture(.unsupportedFormat(failure.text))
            case CODEC_IO: .read(path: path, errno: failure.io_errno)
            case CODEC_OUT_OF_MEMORY: .read(path: path, errno: ENOMEM)
            default: .picture(.corrupt(failure.text))
            }
    }

    /// The error for a failure that a codec reports while it writes the derivative at `path`.
    init(writing path: String, _ failure: UnsafePointer<codec_failure>?) {
        guard let failure = failure?.pointee, failure.status != CODEC_OUT_OF_MEMORY else {
            self = .write(path: path, errno: ENOMEM)
            return
        }
        self =
            failure.status == CODEC_CANCELLED
            ? .cancelled : .write(path: path, errno: failure.status == CODEC_IO ? failure.io_errno : EINVAL)
    }
}

extension codec_failure {
    /// The library's own message.
    fileprivate var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
