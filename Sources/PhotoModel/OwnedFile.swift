/// A file in the output folder that gallerygen owns, as the site's publisher and the ledger know it. A large gallery
/// has several files for each photo, so the properties that only some of them have are stored in a separate object.
package struct OwnedFile: Hashable, Sendable {
    /// The size of the file in bytes.
    package let bytes: Int64
    private let details: Details?

    /// The properties of a file apart from its size.
    private final class Details: Hashable, Sendable {
        let digest: Digest?
        let key: Digest?

        init(digest: Digest?, key: Digest?) {
            self.digest = digest
            self.key = key
        }

        static func == (left: Details, right: Details) -> Bool {
            left === right || (left.digest == right.digest && left.key == right.key)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(digest)
            hasher.combine(key)
        }
    }

    package init(digest: Digest?, bytes: Int64, key: Digest? = nil) {
        self.bytes = bytes
        details = digest == nil && key == nil ? nil : Details(digest: digest, key: key)
    }

    /// Creates the properties of a file that a publication was about to put in place when it was interrupted. It is
    /// unknown whether the path has this file.
    /// - Parameter replacedDigest: the digest of the owned file that the path had until then; nil if there was none.
    package init(claiming bytes: Int64, replacing replacedDigest: Digest?) {
        // The digest is stored as the key, because such a file has no key.
        self.init(digest: nil, bytes: bytes, key: replacedDigest)
    }

    /// The digest of the earlier file, if it is unknown whether this file has replaced it.
    package var replacedDigest: Digest? { digest == nil ? details?.key : nil }

    /// The digest of the content; nil for a picture, whose name is a digest already, and for a file whose digest is
    /// unknown.
    package var digest: Digest? { details?.digest }

    /// The digest of the data that a page was rendered from; nil if the file has none. Equal keys mean equal content.
    package var key: Digest? { digest == nil ? nil : details?.key }
}

/// A file that is about to be put in place, as the ledger records it before that happens.
package struct FileClaim: Hashable, Sendable {
    package let file: OwnedFile
    /// The digest of the owned file that the path has until then; nil if there is none.
    package let replacedDigest: Digest?

    package init(_ file: OwnedFile, replacing replacedDigest: Digest? = nil) {
        self.file = file
        self.replacedDigest = replacedDigest
    }

    /// The properties of the path's file if the publication was interrupted. Its digest is unknown then.
    package var interrupted: OwnedFile { OwnedFile(claiming: file.bytes, replacing: replacedDigest) }
}
