internal import Downloads
internal import Foundation
internal import Ledger
package import Manifest
internal import PhotoModel
internal import Synchronization

/// A manifest's bytes and origin.
package struct ManifestBytes: Hashable, Sendable {
    let origin: ManifestOrigin
    let bytes: [UInt8]
    /// The URL that the user gave for a remote manifest. The origin is the URL to which redirects led.
    let requestedURL: String?
    /// The server's `Content-Type`; nil for a file, or if `FetchOptions.reportsContentType` is false.
    let contentType: String?

    package init(
        origin: ManifestOrigin, bytes: [UInt8], requestedURL: String? = nil, contentType: String? = nil
    ) {
        self.origin = origin
        self.bytes = bytes
        self.requestedURL = requestedURL
        self.contentType = contentType
    }
}

extension ManifestInput {
    /// The identity of the manifest across builds.
    var identity: GalleryIdentity.Manifest {
        switch self {
        case .file(let path, _): .file(path)
        case .standardInput(_, let directory): .standardInput(directory: directory)
        case .remote(let url): .remote(url, shown: shown)
        }
    }

    /// The manifest's name in messages.
    package var shown: String {
        switch self {
        case .file(_, let shown): shown
        case .standardInput: "standard input"
        case .remote(let url): ShownAddress.url(url)
        }
    }

    /// The bytes of the local manifests, parallel to `inputs`; nil for each remote one.
    static func localBytes(
        of inputs: [ManifestInput], isCancelled: () -> Bool = { false }
    ) throws(GalleryError) -> [[UInt8]?] {
        var all: [[UInt8]?] = []
        for input in inputs { all.append(try input.localBytes(isCancelled: isCancelled)) }
        return all
    }

    /// Combines all manifests with their origins.
    /// - Parameters:
    ///   - local: the bytes that `localBytes(of:)` returned, parallel to `inputs`.
    ///   - remote: a closure that fetches a remote manifest.
    static func read(
        _ inputs: [ManifestInput], local: [[UInt8]?], remote: (ManifestInput) throws(GalleryError) -> ManifestBytes
    ) throws(GalleryError) -> [ManifestBytes] {
        var read: [ManifestBytes] = []
        for (input, bytes) in zip(inputs, local) {
            if let bytes {
                read.append(ManifestBytes(origin: input.origin, bytes: bytes))
            } else {
                read.append(try remote(input))
            }
        }
        return read
    }

    package var origin: ManifestOrigin {
        switch self {
        case .file(let path, let shown): .file(path: path, shown: shown)
        case .standardInput(_, let directory): .standardInput(directory: directory)
        case .remote(let url): .remote(url: url, shown: shown)
        }
    }

    /// A remote manifest. Its relative addresses are resolved against the URL at which it was found (RFC 3986 §5.1.3).
    /// - Parameter location: the URL to which redirects led; nil if there were none.
    func manifestBytes(_ bytes: [UInt8], at location: String?, contentType: String? = nil) -> ManifestBytes {
        guard case .remote(let url) = self else { return ManifestBytes(origin: origin, bytes: bytes) }
        return ManifestBytes(
            origin: .remote(url: location ?? url, shown: shown), bytes: bytes, requestedURL: url,
            contentType: contentType)
    }

    /// The bytes of a local manifest; nil for a remote one.
    /// - Throws: `GalleryError.manifestUnreachable` if the manifest can't be read, `.interrupted` if it was cancelled.
    package func localBytes(isCancelled: () -> Bool = { false }) throws(GalleryError) -> [UInt8]? {
        switch self {
        case .remote: return nil
        case .standardInput(let bytes, _): return bytes
        case .file(let path, let shown):
            let bytes: [UInt8]?
            do throws(POSIXError) {
                bytes = try ManifestFile(path: path).read(isCancelled: isCancelled)
            } catch {
                throw .manifestUnreachable(shown: shown, detail: Self.message(for: error, at: path, shown: shown))
            }
            guard let bytes else { throw .interrupted }
            return bytes
        }
    }

    private static func message(for error: POSIXError, at path: String, shown: String) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return "no such manifest; name one, or run gallerygen in the folder of photos.plist"
        }
        if isFolder.boolValue { return detail(ofFolder: path, shown: shown) }
        return "it can't be read: \(systemMessage(error.code.rawValue))"
    }
}
