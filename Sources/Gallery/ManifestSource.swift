internal import Downloads
internal import Foundation
internal import Ledger
package import Manifest
internal import PhotoModel
internal import Synchronization

/// A manifest's bytes, and where they came from.
package struct ManifestBytes {
    let origin: ManifestOrigin
    let bytes: [UInt8]

    package init(origin: ManifestOrigin, bytes: [UInt8]) {
        self.origin = origin
        self.bytes = bytes
    }
}

extension ManifestInput {
    /// How messages name it.
    package var shown: String {
        switch self {
        case .file(_, let shown): shown
        case .standardInput: "standard input"
        case .remote(let url): ShownAddress.url(url)
        }
    }

    package var origin: ManifestOrigin {
        switch self {
        case .file(let path, let shown): .file(path: path, shown: shown)
        case .standardInput(_, let directory): .standardInput(directory: directory)
        case .remote(let url): .remote(url: url, shown: shown)
        }
    }

    /// The bytes of a manifest that is on this machine; nil for one that is not.
    /// - Throws: `GalleryError.manifestUnreachable`.
    package func localBytes() throws(GalleryError) -> [UInt8]? {
        switch self {
        case .remote: return nil
        case .standardInput(let bytes, _): return bytes
        case .file(let path, let shown):
            do {
                return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            } catch {
                throw .manifestUnreachable(shown: shown, detail: Self.words(for: error, at: path))
            }
        }
    }

    private static func words(for error: any Error, at path: String) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "there is no such manifest; name one, or run gallerygen where photos.plist is"
        }
        return isFolder.boolValue ? "it is a folder, not a manifest" : "it can't be read: \(error.localizedDescription)"
    }
}
