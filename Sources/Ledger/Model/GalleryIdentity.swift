internal import Foundation
internal import PhotoModel

/// The identity of a gallery: its manifests, which distinguish it from other galleries with the same state folder, and
/// its output folder.
package struct GalleryIdentity: Hashable, Sendable {
    /// The source of one manifest.
    package enum Manifest: Hashable, Sendable {
        /// An absolute path.
        case file(String)
        /// The absolute path of the folder that relative addresses are resolved against.
        case standardInput(directory: String)
        /// A URL, and the form of it that may be shown.
        case remote(String, shown: String)
    }

    package let manifests: [Manifest]
    /// The absolute path of the output folder.
    package let output: String

    package init(manifests: [Manifest], output: String) {
        self.manifests = manifests
        self.output = output
    }

    /// The ledger's key of the gallery. It is a digest, because a path or URL can contain a password.
    func key(_ paths: StoredPaths) -> String { key { paths.storedPath(of: $0) } }

    /// The key by absolute paths, which the ledger used until version 9.
    var absoluteKey: String { key { $0 } }

    /// The `absoluteKey` that the gallery had while its output folder was at `earlier`, if the output folder and the
    /// files around it were moved together.
    func absoluteKey(movedFrom earlier: String) -> String { key { moved($0, from: earlier) } }

    /// Whether a local manifest still exists at its place before such a move, or might exist there.
    func hasManifests(movedFrom earlier: String) -> Bool {
        manifests.contains { manifest in
            guard case .file(let path) = manifest else { return false }
            return !StoredPaths.isGone(moved(path, from: earlier))
        }
    }

    private func key(_ name: (String) -> String) -> String {
        let identities = manifests.map { manifest in
            switch manifest {
            case .file(let path): "file " + name(path)
            case .standardInput(let directory): "stdin " + name(directory)
            case .remote(let url, _): "url " + url
            }
        }
        return Digest(of: identities.joined(separator: "\n")).prefix(32)
    }

    private func moved(_ path: String, from earlier: String) -> String {
        var (old, new) = (earlier.split(separator: "/"), output.split(separator: "/"))
        while let last = old.last, last == new.last {
            old.removeLast()
            new.removeLast()
        }
        let parts = path.split(separator: "/")
        guard parts.starts(with: new) else { return path }
        return "/" + (old + parts.dropFirst(new.count)).joined(separator: "/")
    }

    /// The manifests for people, one in a line. Files have their names in the ledger.
    func shown(_ paths: StoredPaths) -> String {
        manifests.map { manifest in
            switch manifest {
            case .file(let path): paths.storedPath(of: path)
            case .standardInput(let directory): "standard input in \(directory)"
            case .remote(_, let shown): shown
            }
        }.joined(separator: "\n")
    }
}
